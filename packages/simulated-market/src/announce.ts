import type { Asset } from './assets.js';
import { nativeZeroAddress } from './assets.js';
import type { Balances } from './balances.js';
import type { Pool } from './invent-pools.js';
import type { MarketOptions } from './market-state.js';
import type { Outbox } from './outbox.js';
import type { Prices } from './prices.js';
import type { Random } from './random.js';
import { balanceText, metadataText, poolText } from './state-messages.js';
import type { Traders } from './traders.js';
import type { Trading } from './trading.js';

export interface Stage {
  readonly options: MarketOptions;
  readonly pools: readonly Pool[];
  readonly prices: Prices;
  readonly trading: Trading;
  readonly traders: Traders;
  readonly balances: Balances;
  readonly outbox: Outbox;
}

/** What is told of a jetton when it comes up: its metadata, its pools, and who holds it. */
export function announceBirth(stage: Stage, asset: Asset, random: Random): void {
  const { options, prices, trading, outbox } = stage;
  const timeMs = asset.presence.bornMs;
  const recordMs = timeMs + options.delayMs;
  outbox.send('jettonMetadata', metadataText(options.seed, asset, 0, timeMs), recordMs);
  for (const pool of stage.pools) {
    // A pool comes up with the younger of its jettons.
    if (pool.bornMs !== timeMs || !youngest(pool, asset)) continue;
    const state = poolText(pool, trading.reservesOf(pool), trading.worthTon(pool), prices.tonUsd, timeMs);
    outbox.send('pools', state, recordMs);
  }
  announceHolders(stage, asset, timeMs, recordMs, random);
}

/** The first holders share nine tenths of the supply by rank; every eighth jetton has burnt some of it. */
function announceHolders(stage: Stage, asset: Asset, timeMs: number, recordMs: number, random: Random): void {
  const { traders, balances, outbox } = stage;
  const supply = BigInt(asset.supply) * 10n ** BigInt(asset.decimals);
  let left = (supply * 9n) / 10n;
  for (let place = 0; place < asset.holders; place += 1) {
    const trader = traders.pick(asset.index, random);
    const raw = BigInt(Math.floor(Number(left) * random.between(0.01, 0.1)));
    if (!balances.begin(asset, trader, raw)) continue;
    left -= raw;
    outbox.send('balances', balanceText(traders.addressOf(trader), asset, raw, timeMs, place), recordMs);
  }
  if (asset.index % 8 === 4) {
    outbox.send('balances', balanceText(nativeZeroAddress, asset, left / 2n, timeMs, 0), recordMs);
  }
}

function youngest({ left, right }: Pool, asset: Asset): boolean {
  const younger = right.kind !== 'native' && right.presence.bornMs > left.presence.bornMs ? right : left;
  return younger.kind === 'native' ? right === asset : younger === asset;
}
