import type { Asset } from './assets.js';
import { exponentText, scaledText, volumeText } from './decimal-text.js';
import type { Prices } from './prices.js';
import type { Random } from './random.js';
import type { Fill } from './trading.js';

export interface Volumes {
  readonly volumeUsd: string | null;
  readonly volumeTon: string | null;
  readonly volumeTonIsNumber: boolean;
}

const unknownVolumeChance = 0.5;
const exponentChance = 0.005;

/**
 * What a trade is worth by the market's own price of TON: the native side's or the stable's exact amount where there is
 * one, half of the time nothing where there is neither, as indexers do.
 */
export function volumesOf(fill: Fill, prices: Prices, random: Random): Volumes {
  const { left, right } = fill.pool;
  const leftRaw = fill.soldLeft ? fill.amountSold : fill.amountBought;
  const rightRaw = fill.soldLeft ? fill.amountBought : fill.amountSold;
  const { tonUsd } = prices;
  const native = left.kind === 'native' ? leftRaw : right.kind === 'native' ? rightRaw : undefined;
  const stable = right.kind === 'stable' ? rightRaw : undefined;
  const isKnown = native !== undefined || stable !== undefined || !random.chance(unknownVolumeChance);
  const usdIsKnown = isKnown && (right.kind !== 'jetton' || random.chance(0.8));
  const ton =
    native !== undefined
      ? Number(native) / 1e9
      : stable !== undefined
        ? Number(stable) / 1e6 / tonUsd
        : wholeTon(left, leftRaw, prices);
  const usd = stable !== undefined ? Number(stable) / 1e6 : ton * tonUsd;
  return {
    volumeTon: !isKnown ? null : native === undefined ? volumeText(ton) : scaledText(native, 9),
    volumeUsd: !usdIsKnown
      ? null
      : stable !== undefined
        ? scaledText(stable, 6)
        : random.chance(exponentChance)
          ? exponentText(usd)
          : volumeText(usd),
    volumeTonIsNumber: fill.pool.exchange.projectType === 'launchpad',
  };
}

function wholeTon(asset: Asset, raw: bigint, prices: Prices): number {
  return (Number(raw) / 10 ** asset.decimals) * prices.tonOf(asset);
}
