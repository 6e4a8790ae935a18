import { type WindowA, windows } from '@jetton-analytics/figures';
import { numbersFrom } from './naive.js';
import type { SeededJetton, SeededWindow } from './seeded-market.js';

export const day = (daysBefore: number): string =>
  new Date(Date.UTC(2025, 9, 9 - daysBefore)).toISOString().slice(0, 10);

const decimal = (units: bigint, decimals: number): string => {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Whole 10^-18 of usd to decimal text. */
const usdText = (units: bigint): string => decimal(units, 18);

function windowOf(seed: number): SeededWindow {
  const next = numbersFrom(seed);
  const big = (): bigint => BigInt(next()) * BigInt(next()) * 1_000n + BigInt(next());
  const count = (): string => String(next() % 40); // 0 now and then
  const usdByDay = (['current', 'previous'] as const).flatMap((half) =>
    Array.from(
      { length: next() % 4 },
      (_, index) => [half, day(index * 2 + (half === 'current' ? 0 : 9)), big(), big()] as const,
    ),
  );
  const sum = (half: 'current' | 'previous', side: 2 | 3): string =>
    usdText(usdByDay.reduce((total, part) => (part[0] === half ? total + part[side] : total), 0n));
  const price = (): [string, number] =>
    next() % 5 === 0 ? ['0', 9] : [String(100_000_000_000 + next()), 9 + (next() % 9)];
  return {
    transactionsBuy: [count(), count()],
    transactionsSell: [count(), count()],
    traders: [count(), count()],
    tradersBuy: [count(), count()],
    tradersSell: [count(), count()],
    volumeUsdBuy: [sum('current', 2), sum('previous', 2)],
    volumeUsdSell: [sum('current', 3), sum('previous', 3)],
    volumeTonBuy: [usdText(big()), usdText(big())],
    volumeTonSell: [usdText(big()), '0'],
    priceTon: [price(), price()],
    priceUsd: [price(), price()],
    usdByDay: usdByDay.map(([half, utcDay, buy, sell]) => [half, utcDay, usdText(buy), usdText(sell)]),
  };
}

/** A jetton with figures of its own in every window, the same for the same seed. */
export function busyJetton(
  address: string,
  seed: number,
): SeededJetton & { windows: (window: WindowA) => SeededWindow } {
  const seeded = Object.fromEntries(windows.map(({ name }, index) => [name, windowOf(seed * 100 + index)])) as Record<
    WindowA,
    SeededWindow
  >;
  return { address, windows: (window) => seeded[window] };
}
