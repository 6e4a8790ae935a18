import { describe, expect, it } from '@jest/globals';
import { assert, bigInt, property } from 'fast-check';
import { figuresTextOf } from '../../test/figures-text.js';
import { PackedWriter } from '../../test/packed-writer.js';
import { jettonFigures, usdByDay } from './figures-text.js';
import { PackedReader } from './packed-text.js';

const of = (short: string) => ({ short, mid: undefined, long: undefined });

describe('the packed figures of a row', () => {
  it('give back every integer of 64 and of 256 bits, negative ones too', () => {
    assert(
      property(bigInt(0n, (1n << 64n) - 1n), bigInt(-(1n << 255n), (1n << 255n) - 1n), (count, decimal) => {
        const packed = new PackedReader(new PackedWriter().integer(count).integer(decimal).text);
        expect([packed.integer(), packed.integer(), packed.isDone]).toEqual([count, decimal, true]);
      }),
    );
  });

  it('are told in texts as the store prints them', () => {
    const seed = { buys: '18446744073709551615', volumeUsdBuy: '142857.142857142857142857', priceTon: ['15', '0', 36] };
    const { hour, min15 } = jettonFigures(
      of(figuresTextOf({ hour: { ...seed, priceTon: ['15', '0', 36] }, min15: {} })),
    );
    expect(hour).toMatchObject({
      transactionsBuy: { current: seed.buys, previous: '0' },
      volumeUsdBuy: { current: seed.volumeUsdBuy, previous: '0' },
      priceTon: { current: { value: '15', decimals: 36 }, previous: { value: '0', decimals: 36 } },
    });
    expect(min15).toMatchObject({ volumeUsdBuy: { current: '0', previous: '0' } });
  });

  it('hold the volume of each day and half, by window', () => {
    const days = [
      { window: 'hour', half: 'current', day: 20_000, buy: '1.5', sell: '0' },
      { window: 'hour', half: 'previous', day: 19_999, buy: '0', sell: '0.000000000000000001' },
    ] as const;
    expect(usdByDay(of(figuresTextOf({ hour: {} }, [60, 0], days)))).toEqual({
      hour: {
        current: [{ day: '2024-10-04', buy: '1.5', sell: '0' }],
        previous: [{ day: '2024-10-03', buy: '0', sell: '0.000000000000000001' }],
      },
    });
  });
});
