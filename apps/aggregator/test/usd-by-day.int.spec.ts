import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import { decimalText, scaledFromDecimal, type Step, steps, windows, windowsB } from '@jetton-analytics/figures';
import { materialiseClosed } from '@jetton-analytics/rollups';
import { assetFactsOfSettings } from '../src/snapshots/asset-facts.js';
import { StepSnapshots } from '../src/snapshots/step-snapshots.js';
import type { TradeWriter } from '../src/trades/trade-writer.js';
import { address, assets, ledgerTrade, nativeAddress } from './feed-messages.js';
import { publishedRows, type ViewedRow, windowOf } from './snapshot-view.js';
import { newStore, prices } from './store.js';

// 2026-03-10T00:40:17Z: a midnight lies in every window, also in the hour's.
const c = 1_773_103_217;
const midnight = c - (c % 86_400);
const jetton = address('by day');
const other = address('by day, other');

let store: ClickHouseWriter;
let writer: TradeWriter;
let term = 0;

interface Trade {
  readonly eventTime: number;
  readonly isBuy: boolean;
  readonly volumeUsd: string;
}

/** Around the midnights and the edges of all windows, and in between. */
const trades: readonly Trade[] = [
  ...[-1, 0, 1].map((around) => midnight + around),
  ...windows.flatMap(({ seconds }) =>
    [1, 2].flatMap((times) => [-1, 0, 1, 30, 3_000].map((around) => c - times * seconds + around)),
  ),
  ...Array.from({ length: 120 }, (_, index) => c - 1 - index * 41_111),
  ...Array.from({ length: 30 }, (_, index) => c - 1 - index * 181),
  // Whole hours and days, so that their materialised rows are read.
  ...Array.from({ length: 40 }, (_, index) => midnight - (index + 1) * 86_400),
].map((eventTime, index) => ({
  eventTime,
  isBuy: index % 3 !== 0,
  volumeUsd: `${index + 1}.${'0'.repeat(16)}${10 + (index % 90)}`,
}));

async function rowAt(step: Step, at: number): Promise<ViewedRow> {
  term += 1;
  const snapshots = new StepSnapshots(store, step, term, assetFactsOfSettings(assets), prices);
  const instant = { calculatedAt: at, asOf: at, positions: new Map([[0, '1']]), markedOn: '2026-03-10' };
  await snapshots.take(instant, () => undefined);
  const row = (await publishedRows(store, term, step)).get(`${jetton.toLowerCase()}|`);
  if (row === undefined) throw new Error('the jetton is unknown');
  return row;
}

/** The same from the trades alone. */
function expected(step: Step, at: number) {
  const days = new Map<string, { buy: bigint; sell: bigint }>();
  for (const { name, seconds, step: own } of windows) {
    if (own !== step || !windowsB.some((window) => window === name)) continue;
    for (const { eventTime, isBuy, volumeUsd } of trades) {
      const age = at - eventTime;
      if (age <= 0 || age > 2 * seconds) continue;
      const half = age <= seconds ? 'current' : 'previous';
      const key = [name, half, new Date(eventTime * 1_000).toISOString().slice(0, 10)].join(' ');
      const sum = days.get(key) ?? { buy: 0n, sell: 0n };
      sum[isBuy ? 'buy' : 'sell'] += scaledFromDecimal(volumeUsd, 18);
      days.set(key, sum);
    }
  }
  return [...days]
    .map(([key, { buy, sell }]) => [...key.split(' '), decimalText(buy, 18), decimalText(sell, 18)].join(' '))
    .toSorted();
}

beforeAll(async () => {
  ({ store, writer } = await newStore());
  const legs = trades.flatMap(({ eventTime, isBuy, volumeUsd }, index) => {
    const [sold, bought] = isBuy ? [nativeAddress, jetton] : [jetton, other];
    return legsOf(ledgerTrade({ tx: `trade ${index}`, eventTime, sold, bought, volumeUsd }), assets);
  });
  await writer.write({ partition: 0, lastOffset: '0', legs, assertOwned: () => undefined });
}, 300_000);
afterAll(async () => {
  await store?.close();
});

describe('volumes by UTC day of a snapshot', () => {
  it.each(['minutes alone', 'hours and days where they are closed'])(
    'are those of the trades, to the digit and the second, in every step, from %s',
    async (from) => {
      if (from !== 'minutes alone') await materialiseClosed(store, c, () => undefined);
      for (const step of steps) {
        // The second: exactly on a midnight. The third: no midnight lies in the hour's windows.
        for (const at of [c, midnight, midnight + 10_800]) {
          const { usdByDay } = await rowAt(step, at);
          expect(usdByDay.map((tuple) => tuple.join(' ')).toSorted()).toEqual(expected(step, at));
        }
      }
    },
    480_000,
  );

  it('add up to the volumes of their window', async () => {
    const usdBuy = 10;
    for (const step of steps) {
      const row = await rowAt(step, c);
      for (const name of new Set(row.usdByDay.map(([window]) => window))) {
        const sum = (half: 'current' | 'previous', column: 3 | 4) =>
          row.usdByDay
            .filter((tuple) => tuple[0] === name && tuple[1] === half)
            .reduce((total, tuple) => total + scaledFromDecimal(tuple[column], 18), 0n);
        const volumes = windowOf(row, name)
          ?.slice(usdBuy, usdBuy + 4)
          .map((text) => scaledFromDecimal(String(text), 18));
        expect([sum('current', 3), sum('previous', 3), sum('current', 4), sum('previous', 4)]).toEqual(volumes);
      }
    }
  }, 300_000);
});

describe('when a price last changed', () => {
  it('is the minute of its newest point per currency in the short step, and the epoch elsewhere', async () => {
    const newest = Math.max(
      ...trades.filter(({ eventTime, isBuy }) => isBuy && eventTime < c).map((one) => one.eventTime),
    );
    const minute = newest - (newest % 60);
    expect((await rowAt('short', c)).changedAt).toEqual([minute, minute]);
    expect((await rowAt('mid', c)).changedAt).toEqual([0, 0]);
    const early = Math.min(...trades.map(({ eventTime }) => eventTime));
    expect((await rowAt('short', early)).changedAt).toEqual([0, 0]);
  }, 300_000);
});
