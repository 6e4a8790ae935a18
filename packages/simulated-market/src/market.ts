import { createActivityClock } from './activity-clock.js';
import { announceBirth } from './announce.js';
import type { Asset } from './assets.js';
import { nativeIndex } from './assets.js';
import { Balances } from './balances.js';
import { inventAssets } from './invent-jettons.js';
import type { Pool } from './invent-pools.js';
import { inventPools } from './invent-pools.js';
import type { MarketOptionsInput } from './market-state.js';
import { MarketOptions, MarketState } from './market-state.js';
import type { MarketRecord } from './outbox.js';
import { Outbox } from './outbox.js';
import { Prices } from './prices.js';
import { Random } from './random.js';
import { growthOf, never, Schedule } from './schedule.js';
import { metadataText } from './state-messages.js';
import { recordTrade } from './trade-records.js';
import { Traders } from './traders.js';
import { Trading } from './trading.js';

const dayMs = 86_400_000;
const metadataUpdateEvery = 1500;

/**
 * A simulated market in the feed's own shape: a history that ends at `historyEndMs`, then trades at a rate without end.
 * Deterministic: the same options give the same records, and a market taken up from its state goes on as if it had never
 * stopped. It knows no clock; records come in the order of their Kafka time (late ones, repeats, corrections at theirs).
 */
export class SimulatedMarket {
  readonly options: MarketOptions;
  readonly assets: readonly Asset[];
  readonly pools: readonly Pool[];
  private readonly births: readonly Asset[];
  private readonly random: Random;
  private readonly schedule: Schedule;
  private readonly outbox: Outbox;
  private readonly prices: Prices;
  private readonly trading: Trading;
  private readonly traders: Traders;
  private readonly balances: Balances;
  private nextTradeMs: number;
  private made: number;
  private born: number;

  private constructor(options: MarketOptions, state?: MarketState) {
    const { seed, historyEndMs, historyDays, historyTrades, jettons, ratePerSecond } = options;
    this.options = options;
    const startMs = Math.floor(historyEndMs - historyDays * dayMs);
    const clock = createActivityClock(options.dayNightAmplitude);
    this.assets = inventAssets(seed, jettons, startMs, historyEndMs);
    this.pools = inventPools(seed, this.assets);
    this.births = this.assets.slice(nativeIndex + 1).sort((a, b) => a.presence.bornMs - b.presence.bornMs);
    this.random = state ? new Random(state.random) : Random.seeded(seed, 'events');
    const growthMs = growthOf(historyTrades, historyEndMs - startMs, ratePerSecond);
    this.schedule = new Schedule(
      clock,
      state?.schedule ?? {
        segment: { kind: 'stretch', startMs, endMs: historyEndMs, trades: historyTrades, growthMs },
        drawn: 0,
        activityMs: clock.activityOf(startMs),
        ratePerSecond,
      },
    );
    this.outbox = new Outbox(state);
    this.prices = new Prices(this.assets, startMs, state?.prices);
    this.trading = new Trading(
      this.pools,
      this.prices,
      state?.reserves.map(([left, right]) => ({ left: BigInt(left), right: BigInt(right) })),
    );
    this.traders = new Traders(seed, jettons);
    this.balances = new Balances(state?.balances);
    this.nextTradeMs = state?.nextTradeMs ?? this.schedule.drawMs(this.random);
    this.made = state?.tradesMade ?? 0;
    this.born = state?.bornJettons ?? 0;
  }

  /** A new market. Throws a ZodError where an option is out of range. */
  static begin(options: MarketOptionsInput): SimulatedMarket {
    return new SimulatedMarket(MarketOptions.parse(options));
  }

  /** The market that `state()` was taken of, also after JSON. Throws a ZodError where it is no such state. */
  static resume(state: unknown): SimulatedMarket {
    const known = MarketState.parse(state);
    return new SimulatedMarket(known.options, known);
  }

  /** Trades made so far, without repeats, corrections and events that are no trades. */
  get tradesMade(): number {
    return this.made;
  }

  get isHistoryDone(): boolean {
    return this.made >= this.options.historyTrades;
  }

  /** Kafka time of the next record: nothing is due before. */
  get nextRecordMs(): number {
    return Math.min(this.nextTradeMs + this.options.delayMs, this.nextBirthRecordMs(), this.outbox.nextPendingMs);
  }

  /**
   * The next records with a Kafka time ≤ `untilMs`, in its order. `recordsMax` is where it stops adding; the last trade
   * or birth may bring some hundred more. Empty when nothing is due.
   */
  advance(untilMs: number, recordsMax: number): MarketRecord[] {
    while (this.outbox.dueCount < recordsMax && this.nextRecordMs <= untilMs) this.step();
    return this.outbox.takeDue();
  }

  /**
   * Keeps a market that has stood still for long from a flood: where more than `tradesMax` would be due up to `nowMs`
   * at the live rate, that many are spread over the gap instead, and the live rate follows. Says whether it did.
   */
  fillGap(nowMs: number, tradesMax: number): boolean {
    const untilMs = nowMs - this.options.delayMs;
    const gapMs = untilMs - this.nextTradeMs;
    if (!this.schedule.isSteady || (gapMs / 1000) * this.schedule.ratePerSecond <= tradesMax) return false;
    this.schedule.beginStretch(this.nextTradeMs, untilMs, tradesMax);
    this.nextTradeMs = this.schedule.drawMs(this.random);
    return true;
  }

  /**
   * Another live rate from the next trade on, or from now on where there was none; a history still being made stays as it
   * is planned.
   */
  setRate(ratePerSecond: number, nowMs: number): void {
    if (ratePerSecond === this.schedule.ratePerSecond) return;
    if (!this.schedule.isSteady) {
      this.schedule.planRate(ratePerSecond);
      return;
    }
    const startMs = this.nextTradeMs === never ? nowMs - this.options.delayMs : this.nextTradeMs;
    this.schedule.beginSteady(startMs, ratePerSecond);
    this.nextTradeMs = this.schedule.drawMs(this.random);
  }

  /** About how many trades have their records due by `nowMs` and are not made yet. */
  tradesDue(nowMs: number): number {
    return this.schedule.expectedTrades(this.nextTradeMs, nowMs - this.options.delayMs);
  }

  /** To be taken between two calls of `advance`. */
  state(): MarketState {
    return {
      format: 1,
      options: this.options,
      random: this.random.state(),
      schedule: this.schedule.state(),
      nextTradeMs: this.nextTradeMs,
      tradesMade: this.made,
      bornJettons: this.born,
      ...this.outbox.state(),
      prices: this.prices.state(),
      reserves: this.trading.state().map(({ left, right }) => [String(left), String(right)]),
      balances: this.balances.state(),
    };
  }

  private step(): void {
    const tradeRecordMs = this.nextTradeMs + this.options.delayMs;
    const birthMs = this.nextBirthRecordMs();
    if (this.outbox.nextPendingMs <= Math.min(tradeRecordMs, birthMs)) this.outbox.sendPending();
    else if (birthMs <= tradeRecordMs) this.announceNext();
    else this.trade();
  }

  private trade(): void {
    const { seed, delayMs } = this.options;
    const { outbox, prices, trading, traders, balances, random } = this;
    const timeMs = this.nextTradeMs;
    recordTrade({ delayMs, outbox, prices, trading, traders, balances }, timeMs, random);
    this.made += 1;
    if (this.made % metadataUpdateEvery === 0) {
      const asset = random.pick(this.births.slice(0, this.born));
      outbox.deliver('jettonMetadata', metadataText(seed, asset, this.made, timeMs), timeMs + delayMs, random);
    }
    this.nextTradeMs = this.schedule.drawMs(random);
  }

  private nextBirthRecordMs(): number {
    const asset = this.births[this.born];
    return asset === undefined ? Infinity : asset.presence.bornMs + this.options.delayMs;
  }

  private announceNext(): void {
    const asset = this.births[this.born];
    this.born += 1;
    if (asset === undefined) return;
    const { options, pools, prices, trading, traders, balances, outbox, random } = this;
    announceBirth({ options, pools, prices, trading, traders, balances, outbox }, asset, random);
  }
}
