import type { Assets } from './assets.js';
import { scaledText } from './decimal.js';

/** Amounts as plain digits in raw units, volumes as plain decimals; '' is null throughout. */
export interface TradeSides {
  readonly sold: string;
  readonly bought: string;
  readonly amountSold: string;
  readonly amountBought: string;
}

const nativeDecimals = 9;
const stableDecimals = 6;

/**
 * volume_ton of a trade: where one side is native, that side's exact amount ÷ 10^9 (both: the sold side's), else the
 * message's own. An amount that is null values nothing. An amount below 2^120 gives less than 1.4 × 10^27: the bound of
 * 10^18 is one for the message's text only.
 */
export function volumeTonOf(sides: TradeSides, messageVolume: string, assets: Assets): string {
  if (sides.amountSold !== '' && assets.isNative(sides.sold)) return scaledText(sides.amountSold, nativeDecimals);
  if (sides.amountBought !== '' && assets.isNative(sides.bought)) return scaledText(sides.amountBought, nativeDecimals);
  return messageVolume;
}

/** volume_usd of a trade: as `volumeTonOf`, with the stables and 10^6. Less than 1.4 × 10^30. */
export function volumeUsdOf(sides: TradeSides, messageVolume: string, assets: Assets): string {
  if (sides.amountSold !== '' && assets.isStable(sides.sold)) return scaledText(sides.amountSold, stableDecimals);
  if (sides.amountBought !== '' && assets.isStable(sides.bought)) return scaledText(sides.amountBought, stableDecimals);
  return messageVolume;
}
