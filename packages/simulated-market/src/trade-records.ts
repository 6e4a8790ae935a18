import type { Asset } from './assets.js';
import type { Balances } from './balances.js';
import type { Outbox } from './outbox.js';
import type { Prices } from './prices.js';
import type { Random } from './random.js';
import { balanceText, poolText } from './state-messages.js';
import type { TradeFields } from './trade-message.js';
import { otherEventText, retractionText, tradeText } from './trade-message.js';
import type { Traders } from './traders.js';
import type { Fill, Trading } from './trading.js';
import { volumesOf } from './valuation.js';

const dayMs = 86_400_000;
const nullTraderChance = 0.01;
const nullPoolChance = 0.004;
const revisionChance = 0.002;
const retractionChance = 0.001;
const otherEventChance = 0.004;
const poolStateChance = 0.07;
const rebalanceChance = 0.003;
const strayCheckChance = 0.05;
const balanceChance = 0.03;

export interface Surroundings {
  readonly delayMs: number;
  readonly outbox: Outbox;
  readonly prices: Prices;
  readonly trading: Trading;
  readonly traders: Traders;
  readonly balances: Balances;
}

/** All the records that come of one trade: itself, its repeats and corrections, and the states it changes. */
export function recordTrade(
  { delayMs, outbox, prices, trading, traders, balances }: Surroundings,
  timeMs: number,
  random: Random,
): void {
  const fill = trading.fill(timeMs, random);
  const { pool } = fill;
  const trader = random.chance(nullTraderChance) ? undefined : traders.pick(pool.left.index, random);
  const trade: TradeFields = {
    fill,
    txHash: inventHash(random),
    traceId: inventHash(random),
    eventTimeSeconds: Math.floor(timeMs / 1000),
    trader: trader === undefined ? null : traders.addressOf(trader),
    hasPool: !random.chance(nullPoolChance),
    ...volumesOf(fill, prices, random),
    revision: 0,
  };
  const recordMs = timeMs + delayMs;
  outbox.deliver('trades', tradeText(trade), recordMs, random);
  correct(outbox, trade, recordMs, random);
  if (random.chance(otherEventChance)) {
    const eventType = random.chance(0.5) ? 'launch' : random.chance(0.7) ? 'provide_liquidity' : 'trade';
    outbox.send('trades', otherEventText(trade, eventType), recordMs);
  }
  const isRebalanced = random.chance(rebalanceChance) || (random.chance(strayCheckChance) && hasStrayed(trading, fill));
  if (isRebalanced) trading.rebalance(pool, random.between(0.8, 1.25));
  if (isRebalanced || random.chance(poolStateChance)) {
    const state = poolText(pool, trading.reservesOf(pool), trading.worthTon(pool), prices.tonUsd, timeMs);
    outbox.deliver('pools', state, recordMs, random);
  }
  if (trader === undefined) return;
  const owner = traders.addressOf(trader);
  const leftDelta = fill.soldLeft ? -fill.amountSold : fill.amountBought;
  const rightDelta = fill.soldLeft ? fill.amountBought : -fill.amountSold;
  const changes: [Asset, bigint][] = [
    [pool.left, leftDelta],
    [pool.right, rightDelta],
  ];
  for (const [place, [asset, delta]] of changes.entries()) {
    const raw = balances.change(asset, trader, delta, random);
    if (raw === undefined || !random.chance(balanceChance)) continue;
    outbox.deliver('balances', balanceText(owner, asset, raw, timeMs, place), recordMs, random);
  }
}

/** A few events are corrected or taken back, at times before a late original has come. */
function correct(outbox: Outbox, trade: TradeFields, recordMs: number, random: Random): void {
  if (random.chance(revisionChance)) {
    const revised = reviseTrade(trade);
    outbox.sendLater('trades', tradeText(revised), recordMs + random.logBetween(1000, 2 * dayMs));
    if (random.chance(0.3)) {
      const again = { ...reviseTrade(revised), revision: revised.revision + 1 };
      outbox.sendLater('trades', tradeText(again), recordMs + random.logBetween(1000, 2 * dayMs));
    }
  }
  if (random.chance(retractionChance)) {
    const retraction = retractionText({ ...trade, revision: random.chance(0.5) ? 0 : 1 });
    outbox.sendLater('trades', retraction, recordMs + random.logBetween(1000, 2 * dayMs));
  }
}

/**
 * One more revision: another amount of the jetton, at the same worth; between quote assets, whose amounts are the
 * worth, only the trader turns out to be unknown.
 */
function reviseTrade(trade: TradeFields): TradeFields {
  const revision = trade.revision + 1;
  const { fill } = trade;
  if (fill.pool.left.kind !== 'jetton') return { ...trade, trader: null, revision };
  const revised: Fill = fill.soldLeft
    ? { ...fill, amountSold: revisedAmount(fill.amountSold) }
    : { ...fill, amountBought: revisedAmount(fill.amountBought) };
  return { ...trade, fill: revised, revision };
}

const hashWords = new Uint32Array(8);
const hashBytes = Buffer.from(hashWords.buffer);

/** 32 bytes in base64. Drawn rather than hashed: hashing was an eighth of all the work. */
function inventHash(random: Random): string {
  for (let place = 0; place < hashWords.length; place += 1) hashWords[place] = random.next() * 0x100000000;
  return hashBytes.toString('base64');
}

function revisedAmount(raw: bigint): bigint {
  return (raw * 99n) / 100n + 1n;
}

function hasStrayed(trading: Trading, { pool }: Fill): boolean {
  const ratio = trading.worthTon(pool) / trading.worthTon(pool, pool.initialReserves);
  return ratio < 0.4 || ratio > 2.5;
}
