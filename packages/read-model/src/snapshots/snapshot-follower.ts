import { followOnce } from './follow-step.js';
import type { SnapshotSource } from './snapshot-source.js';
import type { Snapshots } from './snapshots.js';

export interface SnapshotFollowerOptions {
  /** See `followOnce`. */
  readonly beforeShort?: () => Promise<void>;
  /** A clock that only rises, ms. */
  readonly nowMs: () => number;
}

/** A count of markers can stay the same though markers came, where others were dropped; and a term can come alone. */
const lookAnywayMs = 5_000;

/**
 * Keeps the model up with the newest snapshots: one round looks only at the number of markers, and at the markers
 * themselves when that has changed or five seconds have passed.
 */
export class SnapshotFollower {
  #seenCount: number | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: SnapshotSource,
    private readonly model: Snapshots,
    private readonly options: SnapshotFollowerOptions,
  ) {}

  /** One round; rejects with what the source rejects with, and the next one looks again. */
  readonly followOnce = async (): Promise<void> => {
    const count = await this.source.markerCount();
    const nowMs = this.options.nowMs();
    if (count === this.#seenCount && nowMs - this.#lookedAtMs < lookAnywayMs) return;
    this.#seenCount = undefined;
    await followOnce(this.source, this.model, this.options.beforeShort);
    // Counted before the look: a marker that came since then makes another number.
    this.#seenCount = count;
    this.#lookedAtMs = nowMs;
  };
}
