import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { JettonInputs } from './jetton-inputs.js';
import type { PriceInput } from './price-inputs.query.js';
import { counterAssetOf, countingMinutes, jettonPriceOf, tonPoint, usdPoint } from './prices.js';

const start = 1_767_261_600;

interface Bucket {
  readonly minute: number;
  readonly pool: number;
  readonly volume: number;
  readonly amount: number;
  readonly ton: boolean;
  readonly usd: boolean;
  readonly asset: 'ton' | '0:x' | undefined;
}

const bucket: fc.Arbitrary<Bucket> = fc.record({
  minute: fc.integer({ min: 0, max: 200 }),
  pool: fc.integer({ min: 0, max: 2 }),
  volume: fc.integer({ min: 1, max: 9 }),
  amount: fc.integer({ min: 1, max: 9 }),
  ton: fc.boolean(),
  usd: fc.boolean(),
  asset: fc.constantFrom('ton' as const, '0:x' as const, undefined),
});

function rowOf({ minute, pool, volume, amount, ton, usd, asset }: Bucket): PriceInput {
  return {
    jetton: '0:a',
    pool: `0:p${pool}`,
    minute_s: start + minute * 60,
    price_volume_ton: ton ? String(volume) : '0',
    price_amount_ton: ton ? String(amount) : '0',
    price_volume_usd: usd ? String(volume) : '0',
    price_amount_usd: usd ? String(amount) : '0',
    counterparts:
      asset === undefined
        ? []
        : [
            {
              asset,
              counter_amount: String(volume),
              amount: String(amount),
              last_event_time: new Date((start + minute * 60) * 1_000).toISOString(),
              last_event_id: String(pool),
            },
          ],
  };
}

/** What a ledger that holds these buckets says, the last one of a minute and pool standing. */
function fromNothing(buckets: readonly Bucket[]) {
  const rows = [...new Map(buckets.map((one) => [`${one.minute}|${one.pool}`, one])).values()].map(rowOf);
  const pools = ['0:p0', '0:p1', '0:p2'].map((pool) => {
    const counting = rows.filter((row) => row.pool === pool).flatMap(countingMinutes);
    return { asset: counterAssetOf(counting), newest: Math.max(0, ...counting.map(({ minute }) => minute)) };
  });
  return { price: jettonPriceOf(rows.map(tonPoint), rows.map(usdPoint), 9), pools };
}

describe('the inputs of a jetton that follow the ledger', () => {
  it.each([
    ['few', { maxLength: 40 }, 2_000],
    ['so many that lists are changed where they are', { minLength: 150, maxLength: 300 }, 50],
  ])(
    'give the price and the counterparts of all buckets, or say that they must be read anew: %s',
    (_, length, numRuns) => {
      // More points than a copied list may have, since nothing is taken away from most of them.
      const points = bucket.map((one) =>
        length.maxLength > 40 ? { ...one, minute: one.minute % 70, ton: true, usd: true, asset: 'ton' as const } : one,
      );
      fc.assert(
        fc.property(fc.array(points, length), fc.nat(6), (buckets, priceEvery) => {
          const inputs = new JettonInputs();
          for (const [index, one] of buckets.entries()) {
            if (!inputs.apply(rowOf(one))) return;
            // Asking for a price drops what no later price can need.
            if (index % (priceEvery + 1) === 0) inputs.price(9);
          }
          const expected = fromNothing(buckets);
          expect(inputs.price(9)).toEqual(expected.price);
          for (const [pool, { asset, newest }] of expected.pools.entries()) {
            const counting = inputs.counting(`0:p${pool}`);
            expect(counterAssetOf(counting)).toBe(asset);
            expect(Math.max(0, ...counting.map(({ minute }) => minute))).toBe(newest);
          }
        }),
        { numRuns },
      );
    },
  );

  it('must be read anew when the newest point of a currency or the newest counting minute is taken away', () => {
    const full: Bucket = { minute: 5, pool: 0, volume: 1, amount: 1, ton: true, usd: true, asset: 'ton' };
    const changed = (change: Partial<Bucket>) => {
      const inputs = new JettonInputs();
      inputs.apply(rowOf(full));
      return inputs.apply(rowOf({ ...full, ...change }));
    };
    expect(changed({ volume: 2 })).toBe(true);
    expect(changed({ ton: false })).toBe(false);
    expect(changed({ usd: false })).toBe(false);
    expect(changed({ asset: undefined })).toBe(false);
    expect(changed({ asset: '0:x' })).toBe(false);
    expect(changed({ minute: 4, asset: undefined })).toBe(true);
  });
});
