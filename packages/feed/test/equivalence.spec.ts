import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { TradeOutcome } from '../src/trade.js';
import { parseTradeMessage } from '../src/parse-trade-message.js';
import { anyMessage } from './arbitrary-message.js';
import { assets } from './factory.js';
import { parseByReference } from './reference.js';

function withoutDetail(outcome: TradeOutcome): unknown {
  if (outcome.kind !== 'fault') return outcome;
  return { kind: outcome.kind, reason: outcome.reason, field: outcome.field };
}

describe('the hand-tuned parser', () => {
  it('accepts, skips, refuses and values exactly as the schema does, for random and damaged messages', () => {
    const seen = new Map<string, number>();
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const runs = 6_000;
    fc.assert(
      fc.property(anyMessage, (message) => {
        const outcome = parseTradeMessage(message, assets);
        const name = outcome.kind === 'trade' ? `trade ${outcome.trade.deleted}` : outcome.reason;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expect(withoutDetail(outcome)).toEqual(withoutDetail(parseByReference(message, assets)));
      }),
      { numRuns: runs, seed },
    );
    console.log(
      `equivalence: seed ${seed}, ${runs} messages: ${[...seen].map(([name, count]) => `${name} ${count}`).join(', ')}`,
    );
    // A generator that never came upon an outcome would have proved nothing of it.
    const outcomes = [
      'trade false',
      'trade true',
      'tombstone',
      'other_event_type',
      'launch',
      'null_token',
      'not_utf8',
      'not_json',
      'not_object',
      'missing_field',
      'wrong_type',
      'malformed_address',
      'malformed_hash',
      'not_finite',
      'amount_out_of_range',
      'volume_out_of_range',
      'event_time_out_of_range',
      'revision_out_of_range',
      'record_time_out_of_range',
      'too_large',
    ];
    expect([...seen.keys()].sort()).toEqual(outcomes.sort());
  }, 60_000);
});
