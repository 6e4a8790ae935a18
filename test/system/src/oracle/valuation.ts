import { assetOf, type Assets } from './assets.js';
import type { TradeMessage } from './parse-message.js';

const nativeUnit = 10n ** 9n; // 10^18 / 10^9 decimals
const stableUnit = 10n ** 12n; // 10^18 / 10^6 decimals

/** The volumes of a message as docs/feed.md values them, × 10^18. An amount that is not known values nothing. */
export function valuationOf(
  message: TradeMessage,
  assets: Assets,
): { readonly volumeUsd: bigint | null; readonly volumeTon: bigint | null } {
  const sides = [
    { asset: assetOf(message.sold, assets), amount: message.amountSold },
    { asset: assetOf(message.bought, assets), amount: message.amountBought },
  ].filter((side): side is { asset: string; amount: bigint } => side.amount !== null);
  const native = sides.find(({ asset }) => asset === 'ton');
  const stable = sides.find(({ asset }) => assets.stables.has(asset)); // the sold side's where both are
  return {
    volumeTon: native === undefined ? message.volumeTon : native.amount * nativeUnit,
    volumeUsd: stable === undefined ? message.volumeUsd : stable.amount * stableUnit,
  };
}
