import type { Asset } from './assets.js';
import { firstJettonIndex, initialTonUsd, inventedAddress, lsdIndex, nativeIndex, usdtIndex } from './assets.js';
import type { Reserves } from './constant-product.js';
import type { Exchange } from './exchanges.js';
import { exchanges, launchpad } from './exchanges.js';
import { Random } from './random.js';

export interface Pool {
  readonly index: number;
  /** Raw upper-case. */
  readonly address: string;
  readonly routerAddress: string | null;
  readonly exchange: Exchange;
  readonly left: Asset;
  readonly right: Asset;
  readonly leftAddress: string;
  readonly rightAddress: string;
  readonly initialReserves: Reserves;
  /** Relative share of all trades. */
  readonly weight: number;
  readonly bornMs: number;
  /** How its states say what it is worth: both tvl fields, or neither. */
  readonly statesTvl: boolean;
}

/** Below this the rounding of amounts to whole raw units would show in prices. */
const reserveMin = 10_000;
const zipfExponent = 1.05;

interface Wish {
  readonly left: Asset;
  readonly right: Asset;
  readonly exchange: Exchange;
  readonly liquidityUsd: number;
  readonly weight: number;
}

/** Pools of each jetton against TON, of some against USDT, of a few against each other; TON against USDT and the LSD. */
export function inventPools(seed: number, assets: readonly Asset[]): Pool[] {
  const random = Random.seeded(seed, 'pools');
  const native = assetAt(assets, nativeIndex);
  const usdt = assetAt(assets, usdtIndex);
  const jettons = assets.slice(firstJettonIndex);
  const total = jettons.reduce((sum, _jetton, rank) => sum + zipfShare(rank), 0);
  const wishes: Wish[] = [];
  for (const exchange of exchanges) {
    const weight = 0.04 * total * exchange.share;
    wishes.push({ left: native, right: usdt, exchange, liquidityUsd: 4e6 * exchange.share, weight });
  }
  const lsd = assetAt(assets, lsdIndex);
  wishes.push({ left: lsd, right: native, exchange: pickExchange(0), liquidityUsd: 2e6, weight: 0.01 * total });
  for (const [rank, jetton] of jettons.entries()) {
    wishes.push(...wishesOf(random, jetton, rank, native, usdt, jettons));
  }
  return wishes.map((wish, index) => poolOf(seed, wish, index));
}

function wishesOf(
  random: Random,
  jetton: Asset,
  rank: number,
  native: Asset,
  usdt: Asset,
  jettons: readonly Asset[],
): Wish[] {
  const liquidityUsd = Math.exp(random.normal() * 1.1) * (2e6 / (rank + 1) + 1500);
  const onLaunchpad = rank > 40 && random.chance(0.15);
  const venues = exchanges.filter((_, place) => place === 0 || random.chance(rank < 20 ? 0.8 : 0.35));
  const homes = onLaunchpad ? [launchpad] : venues;
  const wishes: Wish[] = homes.map((exchange) => ({
    left: jetton,
    right: native,
    exchange,
    liquidityUsd: liquidityUsd * exchange.share,
    weight: (zipfShare(rank) * exchange.share) / homes.length,
  }));
  if (!onLaunchpad && random.chance(rank < 20 ? 0.9 : 0.25)) {
    const exchange = pickExchange(random.below(exchanges.length));
    wishes.push({
      left: jetton,
      right: usdt,
      exchange,
      liquidityUsd: liquidityUsd * 0.4,
      weight: zipfShare(rank) * 0.25,
    });
  }
  if (rank > 0 && random.chance(0.12)) {
    const right = assetAt(jettons, random.below(Math.min(rank, 15)));
    const exchange = pickExchange(random.below(exchanges.length));
    wishes.push({ left: jetton, right, exchange, liquidityUsd: liquidityUsd * 0.2, weight: zipfShare(rank) * 0.3 });
  }
  return wishes;
}

function poolOf(seed: number, { left, right, exchange, liquidityUsd, weight }: Wish, index: number): Pool {
  const addressOf = (asset: Asset): string => (asset.kind === 'native' ? exchange.nativeAddress : asset.address);
  return {
    index,
    address: inventedAddress(seed, `pool ${index}`),
    routerAddress: exchange.hasRouter ? inventedAddress(seed, `router ${exchange.project}`) : null,
    exchange,
    left,
    right,
    leftAddress: addressOf(left),
    rightAddress: addressOf(right),
    initialReserves: reservesOf(left, right, liquidityUsd / 2),
    weight,
    bornMs: Math.max(left.presence.bornMs, right.presence.bornMs),
    statesTvl: index % 5 !== 4,
  };
}

function reservesOf(left: Asset, right: Asset, sideUsd: number): Reserves {
  const rawOf = (asset: Asset): number => (sideUsd / initialTonUsd / asset.initialPriceTon) * 10 ** asset.decimals;
  const scale = Math.max(1, reserveMin / rawOf(left), reserveMin / rawOf(right));
  return { left: BigInt(Math.ceil(rawOf(left) * scale)), right: BigInt(Math.ceil(rawOf(right) * scale)) };
}

function zipfShare(rank: number): number {
  return (rank + 1) ** -zipfExponent;
}

function pickExchange(place: number): Exchange {
  const exchange = exchanges[place];
  if (exchange === undefined) throw new RangeError(`there is no exchange ${place}`);
  return exchange;
}

function assetAt(assets: readonly Asset[], index: number): Asset {
  const asset = assets[index];
  if (asset === undefined) throw new RangeError('jettons must be at least 3');
  return asset;
}
