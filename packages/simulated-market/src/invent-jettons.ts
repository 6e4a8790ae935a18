import type { Asset, Presence } from './assets.js';
import {
  firstJettonIndex,
  initialTonUsd,
  inventedAddress,
  lsdAddress,
  lsdIndex,
  nativeIndex,
  nativeZeroAddress,
  usdtAddress,
  usdtIndex,
} from './assets.js';
import { hostileNames, inventName } from './names.js';
import { Random } from './random.js';
import { never } from './schedule.js';

const dayMs = 86_400_000;
const decimalsOffered = [9, 9, 9, 9, 9, 9, 9, 6, 6, 8, 18, 18, 12, 2, 0];
/** Ranks below this one trade at all times, so that there always is somebody to trade. */
const alwaysAwakeRanks = 12;

/** Native, USDT, one LSD, then `jettons` − 2 invented jettons by rank: the first is the busiest. */
export function inventAssets(seed: number, jettons: number, startMs: number, endMs: number): Asset[] {
  const always: Presence = { bornMs: startMs, endMs: never, periodMs: 1, awakeShare: 1, phaseMs: 0 };
  const quote = { dailyVolatility: 0, medianTradeUsd: 150, presence: always };
  const assets: Asset[] = [
    {
      ...quote,
      index: nativeIndex,
      address: nativeZeroAddress,
      kind: 'native',
      decimals: 9,
      name: 'Toncoin',
      symbol: 'TON',
      initialPriceTon: 1,
      supply: 5e9,
      holders: 0,
    },
    {
      ...quote,
      index: usdtIndex,
      address: usdtAddress,
      kind: 'stable',
      decimals: 6,
      name: 'Simulated Tether USD',
      symbol: 'USD₮',
      initialPriceTon: 1 / initialTonUsd,
      supply: 1.2e9,
      holders: 400,
      dailyVolatility: 0.025,
    },
    {
      ...quote,
      index: lsdIndex,
      address: lsdAddress,
      kind: 'lsd',
      decimals: 9,
      name: 'Simulated Staked TON',
      symbol: 'sTON',
      initialPriceTon: 1.06,
      supply: 4e7,
      holders: 150,
      dailyVolatility: 0.0004,
    },
  ];
  const random = Random.seeded(seed, 'jettons');
  for (let index = firstJettonIndex; index < firstJettonIndex + jettons - 2; index += 1) {
    assets.push(inventJetton(random, seed, index, startMs, endMs));
  }
  return assets;
}

function inventJetton(random: Random, seed: number, index: number, startMs: number, endMs: number): Asset {
  const rank = index - firstJettonIndex;
  const decimals = random.pick(decimalsOffered);
  const price = Math.min(Math.max(Math.exp(random.normal() * 3.5 - 4.5), 1e-9), 1000);
  // Raw units are whole: a jetton without decimals must not be worth more than a trade.
  const initialPriceTon = decimals < 6 ? Math.min(Math.max(price, 1e-3), 2) : price;
  const hostile = index % 29 === 7 ? hostileNames[Math.floor(index / 29) % hostileNames.length] : undefined;
  return {
    index,
    address: inventedAddress(seed, `jetton ${index}`),
    kind: 'jetton',
    decimals,
    ...(hostile ?? inventName(random, index)),
    initialPriceTon,
    dailyVolatility: random.logBetween(0.03, 0.5),
    medianTradeUsd: random.logBetween(8, 80),
    presence: inventPresence(random, rank, startMs, endMs),
    supply: Math.max(1e3, Math.floor(random.logBetween(2e5, 5e7) / initialPriceTon)),
    holders: Math.floor(5 + 300 / Math.sqrt(rank + 1) + random.next() * 20),
  };
}

function inventPresence(random: Random, rank: number, startMs: number, endMs: number): Presence {
  const kind = random.next();
  const position = random.next();
  const length = endMs - startMs;
  const always: Presence = { bornMs: startMs, endMs: never, periodMs: 1, awakeShare: 1, phaseMs: 0 };
  if (rank < alwaysAwakeRanks) return always;
  // New: born within the last third of the history; some of them minutes ago.
  if (kind < 0.12) return { ...always, bornMs: Math.floor(endMs - (length / 3) * position ** 4) };
  if (kind < 0.18) return { ...always, endMs: Math.floor(startMs + length * position) };
  if (kind < 0.4) {
    const periodMs = Math.floor((20 + 25 * position) * dayMs);
    return {
      ...always,
      periodMs,
      awakeShare: 0.15 + 0.5 * random.next(),
      phaseMs: Math.floor(random.next() * periodMs),
    };
  }
  return always;
}
