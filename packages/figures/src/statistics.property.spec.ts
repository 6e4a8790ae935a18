import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decimalText } from './decimal-text.js';
import type { JettonFigures, WindowFigures } from './figures.js';
import { renderJettonStatistics } from './jetton-statistics.js';
import { fillHoles, holesOf } from './template.js';
import { stepOf, windowsB, type WindowB } from './windows.js';

const count = fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String);
const volume = fc.bigInt({ min: 0n, max: 10n ** 40n }).map((value) => decimalText(value, 18));
const price = fc.record({
  value: fc.bigInt({ min: 0n, max: 10n ** 39n }).map(String),
  decimals: fc.integer({ min: 6, max: 36 }),
});
const pairOf = <T>(one: fc.Arbitrary<T>) => fc.record({ current: one, previous: one });

const windowFigures: fc.Arbitrary<WindowFigures> = fc.record({
  transactionsBuy: pairOf(count),
  transactionsSell: pairOf(count),
  traders: pairOf(count),
  tradersBuy: pairOf(count),
  tradersSell: pairOf(count),
  volumeUsdBuy: pairOf(volume),
  volumeUsdSell: pairOf(volume),
  volumeTonBuy: pairOf(volume),
  volumeTonSell: pairOf(volume),
  priceTon: pairOf(price),
  priceUsd: pairOf(price),
});
const optional = fc.option(windowFigures, { nil: undefined });
const figures: fc.Arbitrary<JettonFigures> = fc
  .tuple(...windowsB.map((window) => fc.tuple(fc.constant(window), optional)))
  .map((windows) => Object.fromEntries(windows.filter(([, own]) => own !== undefined)) as JettonFigures);
const instant = fc.integer({ min: 0, max: 4_000_000_000 });
const calculatedAt = fc.record({ short: instant, mid: instant, long: instant });

interface Counts {
  readonly [window: string]: { changePercent: number; previous: string; current: string; calculatedAt: string };
}
interface Amounts {
  readonly [window: string]: { previous: { value: string }; current: { value: string }; calculatedAt: string };
}
interface Parsed {
  readonly transactions: Counts;
  readonly transactionsBuy: Counts;
  readonly transactionsSell: Counts;
  readonly volume: { readonly usd: Amounts; readonly buyUsd: Amounts; readonly sellUsd: Amounts };
}

const countOf = (counts: Counts, window: WindowB, side: 'current' | 'previous'): bigint =>
  BigInt(counts[window]?.[side] ?? 'absent');
const amountOf = (amounts: Amounts, window: WindowB, side: 'current' | 'previous'): bigint =>
  BigInt(amounts[window]?.[side].value ?? 'absent');

describe('rendered statistics', () => {
  it('parse as JSON, carry the calculatedAt of their step in every hole, and nothing outside the holes changes', () => {
    fc.assert(
      fc.property(figures, calculatedAt, (some, at) => {
        const template = renderJettonStatistics('0:00', some);
        const filled = fillHoles(template, at);
        expect(filled).toHaveLength(template.bytes.length);
        const parsed = JSON.parse(filled.toString()) as Parsed;
        for (const window of windowsB) {
          const text = `${new Date(at[stepOf[window]] * 1_000).toISOString().slice(0, 19)}Z`;
          expect(parsed.transactions[window]?.calculatedAt).toBe(text);
          expect(parsed.volume.usd[window]?.calculatedAt).toBe(text);
        }
        for (const { offset } of holesOf(template)) {
          expect(filled.toString('latin1', offset - 16, offset)).toBe('"calculatedAt":"');
          template.bytes.copy(filled, offset, offset, offset + 20);
        }
        expect(filled.equals(template.bytes)).toBe(true);
      }),
    );
  });

  it('add up: total transactions to the unit, total volume to the rounding of its two parts', () => {
    fc.assert(
      fc.property(figures, (some) => {
        const parsed = JSON.parse(renderJettonStatistics('0:00', some).bytes.toString()) as Parsed;
        for (const window of windowsB) {
          for (const side of ['current', 'previous'] as const) {
            expect(countOf(parsed.transactions, window, side)).toBe(
              countOf(parsed.transactionsBuy, window, side) + countOf(parsed.transactionsSell, window, side),
            );
            const { usd, buyUsd, sellUsd } = parsed.volume;
            const off = amountOf(usd, window, side) - amountOf(buyUsd, window, side) - amountOf(sellUsd, window, side);
            expect(off >= -1n && off <= 1n).toBe(true);
          }
        }
      }),
    );
  });
});
