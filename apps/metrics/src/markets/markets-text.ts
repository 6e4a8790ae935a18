import { formatInstant } from '@jetton-analytics/figures';
import type { AddressKind, MarketRecord } from '@jetton-analytics/read-model';

const instant = (seconds: number | undefined) => (seconds === undefined ? undefined : formatInstant(seconds));

/**
 * One pool of the answer; members that are undefined are absent from JSON. `lastTradeAt` in Unix seconds, undefined where
 * no trade in it is known.
 */
export function marketText(market: MarketRecord, lastTradeAt: number | undefined): string {
  return JSON.stringify({
    counterpart: market.counterpart,
    exchangeId: market.exchangeId,
    poolAddress: market.poolAddress,
    createdAt: instant(market.createdAt),
    liquidity: market.liquidityUsd,
    price: market.price,
    lastTransactionAt: instant(lastTradeAt),
  });
}

/** The addresses that markets of a jetton name, for the address book. */
export function marketAddresses(markets: readonly MarketRecord[]): [string, AddressKind][] {
  return markets.flatMap(({ poolAddress, counterpart }): [string, AddressKind][] => {
    const pool: [string, AddressKind] = [poolAddress, 'pool'];
    return counterpart === undefined || counterpart === 'ton' ? [pool] : [pool, [counterpart, 'jetton']];
  });
}

/** The most liquid first, those without a known liquidity last; equal ones by pool address, so that the order is total. */
export function byLiquidity(a: MarketRecord, b: MarketRecord): number {
  const [left, right] = [a.liquidityUsd, b.liquidityUsd].map((amount) =>
    amount === undefined ? -1n : BigInt(amount.value),
  );
  if (left !== right && left !== undefined && right !== undefined) return left < right ? 1 : -1;
  return a.poolAddress < b.poolAddress ? -1 : 1;
}
