import { describe, expect, it } from '@jest/globals';
import type { PriceInput } from './price-inputs.query.js';
import {
  counterAssetOf,
  counterpartPriceOf,
  countingMinutes,
  jettonPriceOf,
  noCounterpartPrice,
  noJettonPrice,
  tonPoint,
  usdPoint,
} from './prices.js';

const minute = 1_767_261_600;

function input(overrides: Partial<PriceInput> = {}): PriceInput {
  return {
    jetton: '0:a',
    pool: '0:p',
    minute_s: minute,
    price_volume_ton: '0',
    price_amount_ton: '0',
    price_volume_usd: '0',
    price_amount_usd: '0',
    counterparts: [],
    ...overrides,
  };
}

const counterpart = (asset: string, counterAmount: string, amount: string, time: string, id: string) => ({
  asset,
  counter_amount: counterAmount,
  amount,
  last_event_time: time,
  last_event_id: id,
});

const priceOf = (rows: readonly PriceInput[], decimals: number) =>
  jettonPriceOf(rows.map(tonPoint), rows.map(usdPoint), decimals);
const countingOf = (rows: readonly PriceInput[]) => rows.flatMap(countingMinutes);

describe('the price of a jetton from its inputs', () => {
  const row = input({
    price_volume_ton: '2.5',
    price_amount_ton: '10000000',
    price_volume_usd: '8',
    price_amount_usd: '5000000',
  });

  it('divides the volume of each currency by the amount of its own legs, in the decimals of the jetton', () => {
    // 2.5 ton for 10 jettons and 8 usd for 5 at 6 decimals: 0.25 has e = -1, 1.6 has e = 0, 12 significant digits each
    expect(priceOf([row], 6)).toEqual({
      ton: { value: '250000000000', decimals: 12 },
      usd: { value: '160000000000', decimals: 11 },
      changedAt: { ton: minute, usd: minute },
    });
    // At 9 decimals 250 (e = 2) and 1600 (e = 3)
    expect(priceOf([row], 9)).toMatchObject({
      ton: { value: '250000000000', decimals: 9 },
      usd: { value: '160000000000', decimals: 8 },
    });
  });

  it('is none in a currency without a priced leg, and none at all without inputs', () => {
    expect(priceOf([{ ...row, price_volume_usd: '0', price_amount_usd: '0' }], 6)).toEqual({
      ton: { value: '250000000000', decimals: 12 },
      usd: { value: '0', decimals: 6 },
      changedAt: { ton: minute, usd: 0 },
    });
    expect(priceOf([], 9)).toEqual(noJettonPrice);
    expect(noJettonPrice).toMatchObject({ ton: { value: '0', decimals: 9 }, usd: { value: '0', decimals: 6 } });
  });

  it('reads the 18 fractional digits of a volume exactly', () => {
    const tiny = input({ price_volume_ton: '0.000000000000000001', price_amount_ton: '1' });
    // 10^-18 / (1 / 10^9) = 10^-9: s = min(36, max(9, 11 + 9)) = 20
    expect(priceOf([tiny], 9).ton).toEqual({ value: '100000000000', decimals: 20 });
  });
});

describe('the other asset of a market', () => {
  const times = ['2026-01-01 10:00:00', '2026-01-01 10:00:01'] as const;

  it('is that of the counting leg with the greatest event time, then the greatest event id', () => {
    const minutes = countingOf([
      input({
        counterparts: [counterpart('ton', '1', '1', times[0], 'f'), counterpart('0:x', '1', '1', times[1], 'a')],
      }),
    ]);
    expect(counterAssetOf(minutes)).toBe('0:x');
    const sameSecond = countingOf([
      input({
        counterparts: [counterpart('ton', '1', '1', times[1], 'b'), counterpart('0:x', '1', '1', times[1], 'a')],
      }),
    ]);
    expect(counterAssetOf(sameSecond)).toBe('ton');
    expect(counterAssetOf(sameSecond.toReversed())).toBe('ton');
  });

  it('is none where no leg counts', () => {
    expect(counterAssetOf(countingOf([input()]))).toBeUndefined();
  });
});

const decimalsOf = (asset: string) => (asset === 'ton' ? 9 : 0);

describe('the price of a jetton in its market', () => {
  const rows = countingOf([
    input({
      counterparts: [
        counterpart('ton', '6000000000', '4000000', '2026-01-01 10:00:00', 'a'),
        counterpart('0:x', '5', '4000000', '2026-01-01 10:00:30', 'a'),
      ],
    }),
    input({ minute_s: minute - 60, counterparts: [counterpart('ton', '1', '1', '2026-01-01 09:59:00', 'a')] }),
  ]);
  it('is that of the last minute with counting legs against the one asset; other assets and older minutes do not count', () => {
    // 6 ton for 4 jettons of 6 decimals
    expect(counterpartPriceOf(rows, 'ton', decimalsOf, 6)).toEqual({ value: '150000000000', decimals: 11 });
    expect(counterpartPriceOf(rows, '0:x', decimalsOf, 6)).toEqual({ value: '125000000000', decimals: 11 });
  });

  it('follows the decimals of both assets', () => {
    expect(counterpartPriceOf(rows, 'ton', () => 8, 6)).toEqual({ value: '150000000000', decimals: 10 });
    expect(counterpartPriceOf(rows, 'ton', decimalsOf, 7)).toEqual({ value: '150000000000', decimals: 10 });
  });

  it('is none against an asset without a counting leg', () => {
    expect(counterpartPriceOf(rows, '0:y', decimalsOf, 6)).toEqual(noCounterpartPrice);
    expect(noCounterpartPrice).toEqual({ value: '0', decimals: 9 });
  });
});
