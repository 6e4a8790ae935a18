import { type AmountText, isPrice, roundedAmount, volumeDecimals } from './amounts.js';
import { scaledOf } from './rational.js';

export interface SupplyInputs {
  /** `total_supply` of the newest metadata message that carries it. */
  readonly metadataTotalSupply: bigint | undefined;
  /** Sum of the known balances of all owners, and of the burn addresses among them. */
  readonly balanceSum: bigint;
  readonly burnedSum: bigint;
  /** The setting BALANCES_COMPLETE: the balances topic was read from the beginning of time. */
  readonly balancesComplete: boolean;
}

/** Raw units, of any size. */
export interface Supply {
  readonly totalSupply: bigint;
  readonly circulatingSupply: bigint;
  /** Whether caps may rest on it. */
  readonly isComplete: boolean;
}

/**
 * totalSupply: of the metadata, else the sum of known balances. circulatingSupply: less the balances of the burn
 * addresses, never below 0. Source: docs/statistics.md, "Metrics", totalSupply, circulatingSupply, fdmc.
 */
export function supplyOf({ metadataTotalSupply, balanceSum, burnedSum, balancesComplete }: SupplyInputs): Supply {
  const totalSupply = metadataTotalSupply ?? balanceSum;
  return {
    totalSupply,
    circulatingSupply: totalSupply > burnedSum ? totalSupply - burnedSum : 0n,
    isComplete: metadataTotalSupply !== undefined || balancesComplete,
  };
}

/** price as emitted × supply / 10^decimals of the jetton, exact, rounded once; undefined without a price. */
export function capOf(
  price: AmountText | undefined,
  supply: bigint,
  jettonDecimals: number,
  amountDecimals: number,
): AmountText | undefined {
  if (price === undefined || !isPrice(price)) return undefined;
  const { value, decimals } = scaledOf(price);
  return roundedAmount({ value: value * supply, decimals: decimals + jettonDecimals }, amountDecimals);
}

/**
 * fdmc and mcap in usd: priceUsd as emitted × totalSupply, circulatingSupply / 10^decimals. Undefined without a price or
 * while the supply is not complete. Source: docs/statistics.md, "Metrics", fdmc and mcap.
 */
export function capsOf(
  priceUsd: AmountText | undefined,
  { totalSupply, circulatingSupply, isComplete }: Supply,
  decimals: number,
): { readonly fdmc: AmountText | undefined; readonly mcap: AmountText | undefined } {
  if (!isComplete) return { fdmc: undefined, mcap: undefined };
  return {
    fdmc: capOf(priceUsd, totalSupply, decimals, volumeDecimals.fiat),
    mcap: capOf(priceUsd, circulatingSupply, decimals, volumeDecimals.fiat),
  };
}
