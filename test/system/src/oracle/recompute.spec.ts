import { describe, expect, it } from '@jest/globals';
import { Recomputation } from './recompute.js';
import {
  jettonA,
  jettonB,
  newYear,
  pool1,
  pool2,
  recordOf,
  ton,
  trade,
  txHash,
  usdt,
  wallet2,
  wrappedTon,
} from './sample-trades.js';
import { perStep, sameInstant } from './windows.js';

const a = jettonA.toLowerCase();
const b = jettonB.toLowerCase();
const hour = 3600;

/**
 * Six events around midnight (0 = midnight, in seconds):
 *   1  −3,700  2 TON → 1,000 A, wallet 1, pool 1, 10.5 usd
 *   2  −3,600  A → wrapped TON: 500 A → 2 TON, wallet 1, pool 1, 12 usd
 *   3      −1  3 usdt → 250 A, wallet 2, pool 2; volume text 99 is overruled by the exact 3 usd
 *   4      −1  100 A → 40 B, no trader, no pool, no volumes
 *   5       0  TON → wrapped TON: no trade
 *   6    −100  retracted
 */
const records = [
  trade({ tx_hash: txHash(1), event_time: newYear - 3700 }),
  trade({
    tx_hash: txHash(2),
    event_time: newYear - 3600,
    token_sold_address: jettonA,
    token_bought_address: wrappedTon,
    amount_sold_raw: '500000000000',
    amount_bought_raw: '2000000000',
    volume_usd: '12',
  }),
  trade({
    tx_hash: txHash(3),
    event_time: newYear - 1,
    token_sold_address: usdt,
    amount_sold_raw: '3000000',
    amount_bought_raw: '250000000000',
    volume_usd: '99',
    volume_ton: '0.5',
    trader_address: wallet2,
    pool_address: pool2,
  }),
  trade({
    tx_hash: txHash(4),
    event_time: newYear - 1,
    token_sold_address: jettonA,
    token_bought_address: jettonB,
    amount_sold_raw: '100000000000',
    amount_bought_raw: '40000000000',
    volume_usd: null,
    volume_ton: null,
    trader_address: null,
    pool_address: null,
  }),
  trade({ tx_hash: txHash(5), token_sold_address: ton, token_bought_address: wrappedTon }),
  trade({ tx_hash: txHash(6), event_time: newYear - 100, deleted: true }),
  trade({ tx_hash: txHash(6), event_time: newYear - 100 }),
  recordOf('{}'),
  recordOf({ event_type: 'launch' }),
];
const recomputation = new Recomputation(records);
const statisticsOf = (jetton: string, t: number) => {
  const statistics = recomputation.jettonStatistics(jetton, sameInstant(t));
  if (statistics === undefined) throw new Error(`${jetton} is unknown`);
  return statistics;
};

describe('the oracle’s statistics', () => {
  it('sorts the messages and takes T from the newest accepted one, trade or not', () => {
    expect(recomputation.accepted).toHaveLength(7);
    expect(recomputation.bad.map(({ reason }) => reason)).toEqual(['missing_field']);
    expect(recomputation.skipped.map(({ because }) => because)).toEqual(['event_type']);
    expect(recomputation.eventClock).toBe(newYear + 1);
    expect(recomputation.jettons).toEqual([a, usdt.toLowerCase(), b].sort());
    expect(recomputation.poolsOf(a)).toEqual([pool1, pool2]);
  });

  it('counts legs and wallets to the second at a window’s edges', () => {
    const calculatedAt = '2024-01-01T00:00:00Z';
    const { transactions, traders, tradersBuy, transactionsSell } = statisticsOf(a, newYear);
    // Event 2 lies at C − w: current. Events 3 and 4 are current too, event 1 is previous.
    expect(transactions['hour']).toEqual({ changePercent: '200', previous: '1', current: '3', calculatedAt });
    expect(traders['hour']).toEqual({ changePercent: '100', previous: '1', current: '2', calculatedAt });
    expect(tradersBuy['hour']).toEqual({ changePercent: '0', previous: '1', current: '1', calculatedAt });
    expect(transactionsSell['hour']).toEqual({
      changePercent: '0',
      changeStatus: 'noPrevious',
      previous: '0',
      current: '2',
      calculatedAt,
    });
    // One second later event 2 has left the current window.
    expect(statisticsOf(a, newYear + 1).transactions['hour']).toMatchObject({ previous: '2', current: '2' });
  });

  it('values a trade by its native or stable side', () => {
    const { volume } = statisticsOf(a, newYear);
    expect(volume.usd['day']).toMatchObject({ current: { value: '25500000', decimals: 6 } }); // 10.5 + 12 + 3
    expect(volume.buyUsd['hour']).toMatchObject({
      previous: { value: '10500000', decimals: 6 },
      current: { value: '3000000', decimals: 6 },
      changePercent: '-71.4286', // −7.5 / 10.5
    });
    expect(statisticsOf(b, newYear).volume.usd['day']).toMatchObject({ current: { value: '0', decimals: 6 } });
  });

  it('prices the jetton by the newest hour of points', () => {
    const { priceChange } = statisticsOf(a, newYear);
    // Newest minute: event 3 alone, at −1 s; event 2 lies 59 minutes before it, event 1 two more.
    // Event 2 has V = 2 ton, A = 500; event 3 has V = 0.5, A = 250: prices 0.004 and 0.002, weights 2·W(59) and 0.5·W(0):
    // W(59)/W(0) = 2^(−11.8) = 0.000280…, so event 3 is the median, and 0.004 = 2 × 0.002 is kept.
    // (0.5 + 2ε) / (250 + 500ε) with ε = 2.80481…e-4 is 0.002002242…
    const { previous, current } = priceChange.ton['hour'] ?? {};
    expect(previous).toEqual({ value: '200000000000', decimals: 14 }); // event 1: 2 ton / 1,000 A
    expect(current?.decimals).toBe(14);
    expect(Number(current?.value) / 1e14).toBeCloseTo((0.5 + 2 * 2 ** -11.8) / (250 + 500 * 2 ** -11.8), 12);
    expect(statisticsOf(b, newYear).priceChange.usd['min15']).toMatchObject({
      changeStatus: 'noPrevious',
      current: { value: '0', decimals: 6 },
    });
  });

  it('computes a market from the legs in its pool alone', () => {
    const market = recomputation.marketStatistics(a, pool1, sameInstant(newYear));
    expect(market?.transactions['day']).toMatchObject({ previous: '0', current: '2' });
    expect(market?.volume.usd['day']).toMatchObject({ current: { value: '22500000', decimals: 6 } });
    expect(market?.priceChange['counterpart']['hour']).toMatchObject({
      previous: { value: '200000000000', decimals: 14 }, // 2 / 1,000
      current: { value: '400000000000', decimals: 14 }, // 2 / 500
      changePercent: '100',
    });
    expect(recomputation.marketStatistics(b, pool1, sameInstant(newYear))).toBeUndefined();
  });

  it('gives each step its own instant', () => {
    const statistics = recomputation.jettonStatistics(a, perStep(newYear, newYear - hour, newYear - 86_400));
    expect(statistics?.transactions['hour']).toMatchObject({ current: '3' });
    expect(statistics?.transactions['day']).toMatchObject({ current: '1', calculatedAt: '2023-12-31T23:00:00Z' });
    expect(statistics?.transactions['month']).toMatchObject({ current: '0' });
  });

  it('does not ask in which order or how often the messages came', () => {
    const shuffled = new Recomputation([...records, ...records].toReversed());
    for (const jetton of recomputation.jettons) {
      const instants = sameInstant(newYear + 1);
      expect(shuffled.jettonStatistics(jetton, instants)).toEqual(recomputation.jettonStatistics(jetton, instants));
    }
  });
});
