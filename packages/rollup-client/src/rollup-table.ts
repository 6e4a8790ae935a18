import { isNewerRollup, type RollupDataset, type RollupRecord } from '@jetton-analytics/common';
import type { KeyedRollup } from './read-record.js';

/** Decimal digits of the greatest 256-bit number. */
const revisionDigits = 78;

/** A revision in a form that sorts as text, for stores without integers of 256 bits. */
export const sortableRevision = (revision: string): string => revision.padStart(revisionDigits, '0');

/** The newest record of each key, in memory: what a subscriber holds that follows the readers' rule. */
export class RollupTable<D extends RollupDataset> {
  readonly #records = new Map<string, RollupRecord<D>>();

  /** Returns whether the record was taken: of an older one, or one known already, nothing changes. */
  upsert({ key, record }: KeyedRollup<D>): boolean {
    if (!isNewerRollup(record, this.#records.get(key))) return false;
    this.#records.set(key, record);
    return true;
  }

  get(key: string): RollupRecord<D> | undefined {
    return this.#records.get(key);
  }

  get size(): number {
    return this.#records.size;
  }

  entries(): IterableIterator<[string, RollupRecord<D>]> {
    return this.#records.entries();
  }

  /** Forgets the windows that ended at or before the instant (`YYYY-MM-DDTHH:MM:SSZ`); without it, minutes grow for ever. */
  dropEndedBefore(instant: string): void {
    for (const [key, { windowEnd }] of this.#records) if (windowEnd <= instant) this.#records.delete(key);
  }
}
