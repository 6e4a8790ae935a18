import { describe, expect, it } from '@jest/globals';
import {
  createAssets,
  feedSettings,
  parseBalanceMessage,
  parseMetadataMessage,
  parsePoolMessage,
} from '@jetton-analytics/feed';
import * as fc from 'fast-check';
import { z } from 'zod';
import { SimulatedMarket } from './index.js';

const assets = createAssets(z.object(feedSettings).parse({}));
const endMs = Date.UTC(2026, 10, 21, 12);
const delayMs = 3000;
const parsers = {
  pools: parsePoolMessage,
  jettonMetadata: parseMetadataMessage,
  balances: parseBalanceMessage,
};

describe('the pool, metadata and balance messages of any simulated market', () => {
  it('are all read by the feed’s parsers, and every kind says something', () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    console.log(`state messages of simulated markets: seed ${seed}`);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 3, max: 60 }), (marketSeed, jettons) => {
        const market = SimulatedMarket.begin({
          seed: marketSeed,
          historyEndMs: endMs,
          historyTrades: 2_000,
          jettons,
          delayMs,
        });
        const refused: unknown[] = [];
        const states = { pools: 0, jettonMetadata: 0, balances: 0 };
        for (const { kind, value, timestampMs } of market.advance(endMs + delayMs - 1, Infinity)) {
          if (kind === 'trades') continue;
          const outcome = parsers[kind]({ value: Buffer.from(value), timestampMs }, assets);
          if (outcome.kind === 'state') states[kind] += 1;
          else if (outcome.reason !== 'native_asset') refused.push(outcome);
        }
        expect(refused).toEqual([]);
        expect(Math.min(...Object.values(states))).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 12, seed },
    );
  });
});
