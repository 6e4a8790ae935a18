import type { LedgerTrade } from '@jetton-analytics/feed';
import { LRUCache } from 'lru-cache';

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
  // Not a Map whose first key goes: it steps over all keys that went before, a fifth of a millisecond with these many.
  readonly #recent: LRUCache<string, Seen>;

  constructor(identitiesMax: number) {
    this.#recent = new LRUCache({ max: identitiesMax });
  }

  /** Whether the trade contradicts one seen before. */
  record({ eventId, version }: LedgerTrade): boolean {
    const next = { revision: version >> revisionShift, content: version & contentMask };
    const last = this.#recent.get(eventId);
    this.#recent.set(eventId, next);
    return last !== undefined && last.revision === next.revision && last.content !== next.content;
  }
}
