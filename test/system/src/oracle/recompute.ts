import { defaultAssets, type Assets } from './assets.js';
import { winners } from './ledger.js';
import { legsOfMessage, type Leg } from './legs.js';
import { parseMessage, type FeedRecord, type TradeMessage } from './parse-message.js';
import {
  jettonStatistics,
  marketStatistics,
  type JettonStatistics,
  type MarketState,
  type MarketStatistics,
} from './statistics.js';
import type { Instants } from './windows.js';

const pushTo = <Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value) => {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
};

/** Everything that a set of feed records says, computed the plain way from the specification alone. */
export class Recomputation<Kept extends FeedRecord = FeedRecord> {
  readonly accepted: TradeMessage[] = [];
  readonly bad: { record: Kept; reason: string }[] = [];
  readonly skipped: { record: Kept; because: string }[] = [];
  readonly #legsByJetton = new Map<string, Leg[]>();
  /** Seconds of the earliest trade that was ever told of each jetton, retracted or not. */
  readonly #firstTrades = new Map<string, number>();
  readonly #assets: Assets;

  constructor(records: Iterable<Kept>, assets: Assets = defaultAssets) {
    this.#assets = assets;
    for (const record of records) {
      const reading = parseMessage(record);
      if (reading.kind === 'accepted') this.accepted.push(reading.message);
      else if (reading.kind === 'bad') this.bad.push({ record, reason: reading.reason });
      else this.skipped.push({ record, because: reading.because });
    }
    for (const message of this.accepted) {
      for (const { jetton, eventTime } of legsOfMessage('', message, assets)) {
        this.#firstTrades.set(jetton, Math.min(eventTime, this.#firstTrades.get(jetton) ?? Infinity));
      }
    }
    for (const [eventId, message] of winners(this.accepted, assets)) {
      for (const leg of legsOfMessage(eventId, message, assets)) pushTo(this.#legsByJetton, leg.jetton, leg);
    }
  }

  /** T of CLOCK=event, Unix seconds: one second after the newest accepted message, trade or retraction or neither. */
  get eventClock(): number {
    return this.accepted.reduce((newest, { eventTime }) => Math.max(newest, eventTime), -Infinity) + 1;
  }

  /** Every jetton known by a trade, by address. */
  get jettons(): string[] {
    return [...this.#legsByJetton.keys()].sort();
  }

  /** The pools in which the jetton has traded, by address. */
  poolsOf(jetton: string): string[] {
    const pools = new Set(this.legsOf(jetton).map(({ pool }) => pool));
    return [...pools].filter((pool) => pool !== null).sort();
  }

  /** Every token and pool that an accepted message names, whether a trade makes them known or not. */
  named(): { jetton: string; pools: string[] }[] {
    const pools = new Map<string, Set<string>>();
    for (const { sold, bought, pool } of this.accepted) {
      for (const token of [sold, bought]) {
        const known = pools.get(token) ?? new Set<string>();
        if (pool !== null) known.add(pool);
        pools.set(token, known);
      }
    }
    return [...pools].map(([jetton, seen]) => ({ jetton, pools: [...seen] }));
  }

  legsOf(jetton: string): readonly Leg[] {
    return this.#legsByJetton.get(jetton) ?? [];
  }

  firstTradeOf(jetton: string): number | undefined {
    return this.#firstTrades.get(jetton);
  }

  jettonStatistics(jetton: string, instants: Instants, isKnown?: boolean): JettonStatistics | undefined {
    return jettonStatistics(jetton, this.legsOf(jetton), instants, this.#assets, isKnown);
  }

  marketStatistics(
    jetton: string,
    pool: string,
    instants: Instants,
    state?: MarketState,
  ): MarketStatistics | undefined {
    const legs = this.legsOf(jetton).filter((leg) => leg.pool === pool);
    return marketStatistics(jetton, legs, instants, this.#assets, state);
  }
}
