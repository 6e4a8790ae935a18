import type { LedgerTrade } from '@jetton-analytics/feed';

const revisionShift = 112n;
const contentMask = (1n << 64n) - 1n;

interface Seen {
  readonly revision: bigint;
  readonly content: bigint;
}

/**
 * Notices messages of one identity and revision whose content differs, among the most recent identities: the later
 * record wins in the ledger, and an operator should know that the feed contradicts itself.
 */
export class ContentConflicts {
  readonly #recent = new Map<string, Seen>();

  constructor(private readonly identitiesMax: number) {}

  /** Whether the trade contradicts one seen before. */
  record({ eventId, version }: LedgerTrade): boolean {
    const next = { revision: version >> revisionShift, content: version & contentMask };
    const last = this.#recent.get(eventId);
    this.#recent.delete(eventId);
    this.#recent.set(eventId, next);
    if (this.#recent.size > this.identitiesMax) {
      const oldest = this.#recent.keys().next();
      if (!oldest.done) this.#recent.delete(oldest.value);
    }
    return last !== undefined && last.revision === next.revision && last.content !== next.content;
  }
}
