import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAssets, feedSettings, type LedgerTrade, legsOf, parseTradeMessage } from '@jetton-analytics/feed';
import * as fc from 'fast-check';
import { z } from 'zod';
import { type MarketRecord, SimulatedMarket } from './index.js';

const assets = createAssets(z.object(feedSettings).parse({}));
const endMs = Date.UTC(2026, 10, 21, 12);
const delayMs = 3000;
const dayMs = 86_400_000;

interface Message {
  readonly event_type: string;
  readonly revision?: number;
  readonly deleted?: boolean;
  readonly token_sold_address: string | null;
  readonly token_bought_address: string | null;
  readonly volume_usd: string | null;
  readonly volume_ton: string | number | null;
}
interface Told {
  readonly record: MarketRecord;
  readonly message: Message;
  readonly trade: LedgerTrade;
}

function historyOf(seed: number, historyTrades: number, jettons: number): MarketRecord[] {
  const market = SimulatedMarket.begin({ seed, historyEndMs: endMs, historyTrades, jettons, delayMs });
  return market.advance(endMs + delayMs - 1, Infinity);
}

const outcomeOf = ({ value, timestampMs }: MarketRecord) =>
  parseTradeMessage({ value: Buffer.from(value), timestampMs }, assets);

function kindMeant({ event_type: type, token_sold_address: sold, token_bought_address: bought }: Message): string {
  if (type !== 'trade') return type === 'launch' ? 'launch' : 'other_event_type';
  return sold === null || bought === null ? 'null_token' : 'trade';
}

const sides = ({ trade }: Told): string[] => [trade.sold, trade.bought];
const lower = (value: unknown): string => String(value).toLowerCase();
const valuesOf = (records: readonly MarketRecord[], kind: string): Record<string, unknown>[] =>
  records.filter((record) => record.kind === kind).map(({ value }) => JSON.parse(value) as Record<string, unknown>);

describe('a simulated history', () => {
  let records: MarketRecord[] = [];
  let told: Told[] = [];
  const originals = (): Told[] => told.filter(({ trade }) => trade.revision === 0 && !trade.deleted);

  beforeAll(() => {
    records = historyOf(1, 30_000, 150);
    told = records
      .filter(({ kind }) => kind === 'trades')
      .flatMap((record) => {
        const outcome = outcomeOf(record);
        return outcome.kind === 'trade'
          ? [{ record, trade: outcome.trade, message: JSON.parse(record.value) as Message }]
          : [];
      });
  });

  it('repeats about one message in a hundred, the same event with the same content', () => {
    const copies = [...Map.groupBy(told, ({ record }) => record.value).values()].filter((group) => group.length > 1);
    expect(copies.length / told.length).toBeGreaterThan(0.006);
    expect(copies.length / told.length).toBeLessThan(0.014);
    for (const [first, ...rest] of copies) {
      for (const { trade, record } of rest) {
        expect(trade.eventId).toBe(first?.trade.eventId);
        expect(trade.version & ((1n << 64n) - 1n)).toBe((first?.trade.version ?? 0n) & ((1n << 64n) - 1n));
        expect(record.sequence).not.toBe(first?.record.sequence);
      }
    }
  });

  it('never has two contents of one event at the same revision', () => {
    for (const group of Map.groupBy(
      told,
      ({ trade }) => `${trade.eventId} ${trade.revision} ${trade.deleted}`,
    ).values()) {
      expect(new Set(group.map(({ record }) => record.value)).size).toBe(1);
    }
  });

  it('dates a record by its event and the delay, but for a few that come minutes to days late', () => {
    const firsts = [...Map.groupBy(originals(), ({ trade }) => trade.eventId).values()].flatMap(
      ([first]) => first ?? [],
    );
    const delays = firsts.map(({ record, trade }) => record.timestampMs - trade.eventTime * 1000);
    const late = delays.filter((ms) => ms >= delayMs + 1000);
    expect(delays.every((ms) => ms >= delayMs)).toBe(true);
    expect(late.every((ms) => ms >= 60_000 && ms < 4 * dayMs)).toBe(true);
    expect(late.length / firsts.length).toBeGreaterThan(0.002);
    expect(late.length / firsts.length).toBeLessThan(0.009);
    expect(Math.max(...late)).toBeGreaterThan(dayMs);
  });

  it('corrects and takes back a few events, some before the original has come', () => {
    const firstMs = new Map<string, number>();
    for (const { trade, record } of originals().toReversed()) firstMs.set(trade.eventId, record.timestampMs);
    const corrections = told.filter(({ trade }) => trade.revision > 0 && !trade.deleted);
    const retractions = told.filter(({ trade }) => trade.deleted);
    expect(corrections.length).toBeGreaterThan(20);
    expect(corrections.some(({ trade }) => trade.revision === 2)).toBe(true);
    expect(retractions.length).toBeGreaterThan(10);
    expect(
      retractions.some(({ trade }) => trade.revision > 0) && retractions.some(({ trade }) => trade.revision === 0),
    ).toBe(true);
    const known = [...corrections, ...retractions].filter(({ trade }) => firstMs.has(trade.eventId));
    expect(known.length / (corrections.length + retractions.length)).toBeGreaterThan(0.9);
  });

  it('has positive amounts on both sides of every trade', () => {
    for (const { trade } of told) {
      if (trade.deleted) continue;
      expect((trade.amountSold ?? 0n) > 0n && (trade.amountBought ?? 0n) > 0n).toBe(true);
      expect(legsOf(trade, assets).every(({ isTrade }) => isTrade)).toBe(true);
    }
  });

  it('says of a native or stable side what the feed values it at', () => {
    const native = originals().filter((one) => sides(one).some((raw) => assets.isNative(raw)));
    const stable = originals().filter((one) => sides(one).some((raw) => assets.isStable(raw)));
    expect(native.length).toBeGreaterThan(15_000);
    expect(stable.length).toBeGreaterThan(3000);
    for (const { trade, message } of native) expect(Number(message.volume_ton)).toBe(Number(trade.volumeTon));
    for (const { trade, message } of stable) expect(Number(message.volume_usd)).toBe(Number(trade.volumeUsd));
  });

  it('values both currencies by one price of native that moves slowly', () => {
    let lastPrice: number | undefined;
    for (const { trade } of originals().toSorted((a, b) => a.trade.eventTime - b.trade.eventTime)) {
      if (trade.volumeUsd === null || trade.volumeTon === null || Number(trade.volumeUsd) < 1) continue;
      const price = Number(trade.volumeUsd) / Number(trade.volumeTon);
      expect(price).toBeGreaterThan(0.5);
      expect(price).toBeLessThan(20);
      // A trade between the two moves its own pool by some percent.
      expect(Math.abs(Math.log(price / (lastPrice ?? price)))).toBeLessThan(0.35);
      lastPrice = price;
    }
  });

  it('has unknown traders, pools and volumes now and then', () => {
    const share = (test: (trade: LedgerTrade) => boolean): number =>
      originals().filter(({ trade }) => test(trade)).length / originals().length;
    expect(share(({ trader }) => trader === '')).toBeCloseTo(0.01, 2);
    expect(share(({ pool }) => pool === '')).toBeGreaterThan(0);
    expect(share(({ pool }) => pool === '')).toBeLessThan(0.01);
    expect(share(({ volumeUsd }) => volumeUsd === null)).toBeGreaterThan(0.001);
    expect(share(({ volumeTon }) => volumeTon === null)).toBeGreaterThan(0.001);
    const texts = originals().map(({ message }) => message);
    expect(texts.some(({ volume_ton: ton }) => typeof ton === 'number')).toBe(true);
    expect(texts.some(({ volume_usd: usd }) => usd?.includes('E') === true)).toBe(true);
  });

  it('is led by few jettons and traders while most hardly trade', () => {
    const legs = originals().flatMap(({ trade }) => legsOf(trade, assets));
    const countsBy = (keyOf: (leg: (typeof legs)[number]) => string): number[] =>
      [...Map.groupBy(legs, keyOf).values()].map((group) => group.length).toSorted((a, b) => b - a);
    const topShare = (counts: number[], part: number): number =>
      counts.slice(0, Math.ceil(counts.length * part)).reduce((sum, count) => sum + count, 0) / legs.length;
    const jettons = countsBy(({ jetton }) => jetton);
    const traders = countsBy(({ trader }) => trader);
    expect(jettons.length).toBeGreaterThan(100);
    expect(topShare(jettons, 0.1)).toBeGreaterThan(0.6);
    expect(traders.length).toBeGreaterThan(1500);
    expect(topShare(traders, 0.1)).toBeGreaterThan(0.5);
  });

  it('has jettons that sleep for weeks, new ones and busier days than nights', () => {
    const byJetton = Map.groupBy(
      originals()
        .flatMap(({ trade }) => legsOf(trade, assets))
        .toSorted((a, b) => a.eventTime - b.eventTime),
      ({ jetton }) => jetton,
    );
    const longestGaps = [...byJetton.values()]
      .filter((legs) => legs.length > 20)
      .map((legs) => Math.max(...legs.slice(1).map(({ eventTime }, at) => eventTime - (legs[at]?.eventTime ?? 0))));
    expect(longestGaps.some((seconds) => seconds > 7 * 86_400)).toBe(true);
    const births = [...byJetton.values()].map((legs) => legs[0]?.eventTime ?? 0);
    expect(births.some((seconds) => seconds > endMs / 1000 - 10 * 86_400)).toBe(true);
    const past = originals().filter(({ trade }) => trade.eventTime * 1000 < endMs - 2 * dayMs);
    const hours = past.map(({ trade }) => new Date(trade.eventTime * 1000).getUTCHours());
    const between = (from: number, to: number): number => hours.filter((hour) => hour >= from && hour < to).length;
    expect(between(13, 19)).toBeGreaterThan(1.5 * between(1, 7));
  });

  it('tells of each jetton its metadata before its first trade, of each pool its state, of owners their balances', () => {
    const pools = new Set(valuesOf(records, 'pools').map(({ pool }) => lower(pool)));
    const balances = valuesOf(records, 'balances');
    const rawAddress = /^0:[0-9A-F]{64}$/;
    for (const { address } of [...valuesOf(records, 'jettonMetadata'), ...balances])
      expect(address).toMatch(rawAddress);
    for (const { amount } of balances) expect(amount).toMatch(/^\d+$/);
    for (const { trade } of told) expect(trade.pool === '' || pools.has(trade.pool)).toBe(true);

    const unannounced = new Set<string>();
    const known = new Set<string>();
    for (const { kind, value } of records) {
      const { address, token_bought_address: bought } = JSON.parse(value) as Record<string, unknown>;
      if (kind === 'jettonMetadata') known.add(lower(address));
      else if (kind === 'trades' && bought !== null && !known.has(lower(bought))) unannounced.add(lower(bought));
    }
    expect([...unannounced].filter((jetton) => !assets.isNative(jetton))).toEqual([]);
    expect(known.size).toBeGreaterThanOrEqual(149);
  });
});

describe('any simulated market', () => {
  it('speaks the feed’s language in every message, and means what the parser reads', () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    console.log(`simulated markets: seed ${seed}`);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 3, max: 60 }), (marketSeed, jettons) => {
        const counted: Record<string, number> = {};
        for (const record of historyOf(marketSeed, 1500, jettons)) {
          if (record.kind !== 'trades') continue;
          const outcome = outcomeOf(record);
          const read = outcome.kind === 'trade' ? 'trade' : outcome.reason;
          expect(read).toBe(kindMeant(JSON.parse(record.value) as Message));
          counted[read] = (counted[read] ?? 0) + 1;
        }
        expect(counted['trade']).toBeGreaterThan(1450);
      }),
      { numRuns: 12, seed },
    );
  });
});
