import type { AmountText, Supply, TrustInputs } from '@jetton-analytics/figures';
import type { JettonRecord } from '../records/jetton-record.js';

const sameAmount = (a: AmountText | undefined, b: AmountText | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.value === b.value && a.decimals === b.decimals);

const sameSupply = (a: Supply, b: Supply): boolean =>
  a.totalSupply === b.totalSupply && a.circulatingSupply === b.circulatingSupply && a.isComplete === b.isComplete;

/** Whether two records of one jetton show the same. Metadata are compared as objects: they are replaced when read anew. */
export function sameRecord(a: JettonRecord, b: JettonRecord): boolean {
  return (
    a.metadata === b.metadata &&
    a.verification === b.verification &&
    a.decimals === b.decimals &&
    a.createdAt === b.createdAt &&
    sameAmount(a.price, b.price) &&
    a.priceChangedAt === b.priceChangedAt &&
    sameAmount(a.priceUsd, b.priceUsd) &&
    a.priceUsdChangedAt === b.priceUsdChangedAt &&
    sameSupply(a.supply, b.supply) &&
    a.holdersCount === b.holdersCount &&
    a.holdersChangedAt === b.holdersChangedAt &&
    sameAmount(a.liquidityUsd, b.liquidityUsd) &&
    sameAmount(a.tvl, b.tvl) &&
    a.liquidityChangedAt === b.liquidityChangedAt &&
    sameAmount(a.fdmc, b.fdmc) &&
    sameAmount(a.mcap, b.mcap) &&
    a.trustScore === b.trustScore
  );
}

/** Whether a trust score of the same instant would be the same. */
export function sameTrustInputs(a: TrustInputs, b: TrustInputs): boolean {
  return (
    a.verification === b.verification &&
    sameAmount(a.liquidityUsd, b.liquidityUsd) &&
    a.holders === b.holders &&
    a.traders24h === b.traders24h &&
    a.createdAtSeconds === b.createdAtSeconds &&
    a.isStandardCode === b.isStandardCode &&
    a.mintable === b.mintable &&
    a.topTenBalances === b.topTenBalances &&
    a.circulatingSupply === b.circulatingSupply
  );
}
