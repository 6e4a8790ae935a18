import type { FaultReason, SkipReason } from './faults.js';

/** What came of one message; the outcome of each parser is one. */
export type CountedOutcome =
  | { readonly kind: 'trade' | 'state' }
  | { readonly kind: 'skip'; readonly reason: SkipReason }
  | { readonly kind: 'fault'; readonly reason: FaultReason };

export interface ShareGuard {
  /** Takes the next message of the topic; `share` is that of the window so far, `tripped` needs a full window. */
  record(outcome: CountedOutcome): { readonly tripped: boolean; readonly share: number };
}

const ignoredReasons: ReadonlySet<SkipReason | FaultReason> = new Set<SkipReason | FaultReason>([
  'too_late',
  'launch',
  'other_event_type',
  'tombstone',
]);

/**
 * Watches the share of bad messages in the last `windowMessages` of one topic and trips when it reaches `shareMax`:
 * a feed that has changed its shape must stop consumption rather than be emptied into the dead letters.
 * Too late messages, launches, other event types and tombstones do not enter the window; null tokens
 * and rows of the chain's own coin do, as good ones.
 * Throws a RangeError unless 0 < shareMax ≤ 1 and windowMessages is a positive integer.
 */
export function createShareGuard({ shareMax = 0.2, windowMessages = 1000 } = {}): ShareGuard {
  if (!(shareMax > 0 && shareMax <= 1)) throw new RangeError('shareMax must be above 0 and at most 1');
  if (!Number.isSafeInteger(windowMessages) || windowMessages < 1) {
    throw new RangeError('windowMessages must be a positive integer');
  }
  const ring = new Uint8Array(windowMessages);
  let seen = 0;
  let bad = 0;
  let next = 0;
  return {
    record(outcome) {
      if (!('reason' in outcome) || !ignoredReasons.has(outcome.reason)) {
        const isBad = outcome.kind === 'fault' ? 1 : 0;
        // An unwritten slot reads 0, so the window fills by the same arithmetic as it later turns over.
        bad += isBad - (ring[next] ?? 0);
        ring[next] = isBad;
        next = (next + 1) % windowMessages;
        if (seen < windowMessages) seen += 1;
      }
      const share = seen === 0 ? 0 : bad / seen;
      return { tripped: seen === windowMessages && share >= shareMax, share };
    },
  };
}
