import { describe, expect, it } from '@jest/globals';
import { type MarketOptionsInput, SimulatedMarket, type MarketRecord } from './index.js';

const endMs = Date.UTC(2026, 10, 21, 12);
const small: MarketOptionsInput = { seed: 5, historyEndMs: endMs, historyTrades: 2000, jettons: 30 };

const history = (market: SimulatedMarket, recordsMax = 700): MarketRecord[] =>
  takeUntil(market, market.options.historyEndMs + market.options.delayMs - 1, recordsMax);

function takeUntil(market: SimulatedMarket, untilMs: number, recordsMax = 700): MarketRecord[] {
  const all: MarketRecord[] = [];
  for (;;) {
    const records = market.advance(untilMs, recordsMax);
    if (records.length === 0) return all;
    all.push(...records);
  }
}

describe('SimulatedMarket', () => {
  it('makes the same records for the same seed and end, whatever the size of the batches', () => {
    const records = history(SimulatedMarket.begin(small));
    expect(history(SimulatedMarket.begin(small), 1)).toEqual(records);
    expect(history(SimulatedMarket.begin({ ...small, seed: 6 }))).not.toEqual(records);
  });

  it('goes on from its state, after JSON, as if it had never stopped: in the history and live', () => {
    for (const stopMs of [endMs - 40 * 86_400_000, endMs - 60_000, endMs + 60_000]) {
      const market = SimulatedMarket.begin(small);
      takeUntil(market, stopMs);
      const again = SimulatedMarket.resume(JSON.parse(JSON.stringify(market.state())));
      const records = takeUntil(market, endMs + 300_000);
      expect(records.length).toBeGreaterThan(100);
      expect(takeUntil(again, endMs + 300_000)).toEqual(records);
      expect(again.state()).toEqual(market.state());
    }
  });

  it('makes exactly the history’s trades, then the live rate’s', () => {
    const market = SimulatedMarket.begin({ ...small, dayNightAmplitude: 0 });
    history(market);
    expect(market.tradesMade).toBe(2000);
    expect(market.isHistoryDone).toBe(true);
    takeUntil(market, endMs + 3000 + 1_000_000);
    expect((market.tradesMade - 2000) / 5000).toBeCloseTo(1, 1);
  });

  it('gives records in the order of their Kafka time, numbered by kind without a gap, none before its time', () => {
    const market = SimulatedMarket.begin(small);
    const records: MarketRecord[] = [];
    for (let untilMs = endMs - 86_400_000; untilMs <= endMs + 60_000; untilMs += 60_000) {
      for (const record of takeUntil(market, untilMs)) {
        expect(record.timestampMs).toBeLessThanOrEqual(untilMs);
        records.push(record);
      }
      expect(market.nextRecordMs).toBeGreaterThan(untilMs);
    }
    const times = records.map(({ timestampMs }) => timestampMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const [kind, ofKind] of Map.groupBy(records, (record) => record.kind)) {
      expect({ kind, sequences: ofKind.map(({ sequence }) => sequence) }).toEqual({
        kind,
        sequences: [...ofKind.keys()],
      });
    }
  });

  it('spreads a long standstill thin instead of making it all up, and is the same after a crash in between', () => {
    const market = SimulatedMarket.begin(small);
    history(market);
    const nowMs = endMs + 10 * 86_400_000;
    expect(market.fillGap(endMs + 60_000, 1000)).toBe(false);
    const made = market.tradesMade;
    expect(market.fillGap(nowMs, 1000)).toBe(true);
    expect(market.fillGap(nowMs, 1000)).toBe(false);
    const again = SimulatedMarket.resume(JSON.parse(JSON.stringify(market.state())));
    const records = takeUntil(market, nowMs);
    expect(market.tradesMade - made).toBeGreaterThanOrEqual(1000);
    expect(market.tradesMade - made).toBeLessThan(1020);
    expect(takeUntil(again, nowMs)).toEqual(records);
    const trades = records.filter(({ kind }) => kind === 'trades').map(({ timestampMs }) => timestampMs);
    const largestGapMs = Math.max(...trades.slice(1).map((ms, at) => ms - (trades[at] ?? ms)));
    expect(largestGapMs).toBeLessThan(3 * 3_600_000);
  });

  it('changes the live rate, closes at 0 and opens again without making up for it', () => {
    const market = SimulatedMarket.begin({ ...small, dayNightAmplitude: 0 });
    history(market);
    const tradesBy = (untilMs: number): number => {
      const before = market.tradesMade;
      takeUntil(market, untilMs);
      return market.tradesMade - before;
    };
    market.setRate(50, endMs + 3000);
    expect(tradesBy(endMs + 3000 + 100_000) / 5000).toBeCloseTo(1, 1);
    market.setRate(0, endMs + 103_000);
    expect(tradesBy(endMs + 3_600_000)).toBe(0);
    market.setRate(5, endMs + 3_600_000);
    expect(tradesBy(endMs + 3_600_000 + 3000 + 200_000) / 1000).toBeCloseTo(1, 0);
  });

  it('refuses options out of range and a state that is none', () => {
    expect(() => SimulatedMarket.begin({ ...small, jettons: 2 })).toThrow(/jettons/);
    expect(() => SimulatedMarket.resume({ format: 1 })).toThrow(/options/);
  });
});
