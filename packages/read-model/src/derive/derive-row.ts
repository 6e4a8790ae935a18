import type { Verification } from '@jetton-analytics/common';
import { capsOf, type TrustInputs, trustScoreOf, supplyOf } from '@jetton-analytics/figures';
import type { HolderFigures } from '../holders/holder-table.js';
import { createdAtOf, type MetadataEntry, noMetadata } from '../metadata/metadata-table.js';
import type { JettonRecord } from '../records/jetton-record.js';
import type { Liquidity } from './liquidity-form.js';
import { sameTrustInputs } from './same-record.js';
import type { ShortFigures } from './step-figures.js';

/** Everything a record is made from. */
export interface RecordInputs {
  readonly address: string;
  /** Of a stable or an LSD, by the settings. */
  readonly fixedDecimals: number | undefined;
  readonly metadata: MetadataEntry | undefined;
  readonly verification: Verification;
  readonly firstTrade: number | undefined;
  readonly holders: HolderFigures | undefined;
  readonly short: ShortFigures;
  readonly traders24h: bigint;
  readonly liquidity: Liquidity;
  readonly liquidityChangedAt: number | undefined;
  readonly balancesComplete: boolean;
  /** C of the hour window, Unix seconds. */
  readonly hourC: number;
}

/** The record before and what its trust score was made from. */
export interface Former {
  readonly record: JettonRecord;
  readonly trustInputs: TrustInputs;
  /** Unix seconds: from then on the age part may be another one. */
  readonly ageChangesAt: number;
}

const defaultDecimals = 9;

/**
 * A record and the inputs of its trust score, which is taken over where nothing of it has changed. Pure.
 * Source: docs/statistics.md, "Words" (decimals) and "Metrics".
 */
export function deriveRecord(
  inputs: RecordInputs,
  former: Former | undefined,
): { readonly record: JettonRecord; readonly trustInputs: TrustInputs } {
  const { holders, short, liquidity, verification, hourC } = inputs;
  const metadata = inputs.metadata ?? noMetadata;
  const decimals = inputs.fixedDecimals ?? metadata.decimals ?? defaultDecimals;
  const createdAt = createdAtOf(metadata, inputs.firstTrade);
  const supply = supplyOf({
    metadataTotalSupply: metadata.totalSupply,
    balanceSum: holders?.balanceSum ?? 0n,
    burnedSum: holders?.burnedSum ?? 0n,
    balancesComplete: inputs.balancesComplete,
  });
  let trustInputs: TrustInputs = {
    verification,
    liquidityUsd: liquidity.liquidityUsd,
    holders: holders?.holders,
    traders24h: inputs.traders24h,
    atSeconds: hourC,
    createdAtSeconds: createdAt,
    isStandardCode: metadata.isStandardCode,
    mintable: metadata.mintable,
    topTenBalances: holders?.topTenSum,
    circulatingSupply: supply.circulatingSupply,
  };
  let trustScore: number;
  const keepsTrust =
    former !== undefined &&
    hourC >= former.trustInputs.atSeconds &&
    hourC < former.ageChangesAt &&
    sameTrustInputs(former.trustInputs, trustInputs);
  if (keepsTrust) {
    trustInputs = former.trustInputs;
    trustScore = former.record.trustScore;
  } else {
    trustScore = trustScoreOf(trustInputs).score;
  }
  const record: JettonRecord = {
    address: inputs.address,
    metadata: metadata.record,
    verification,
    decimals,
    createdAt,
    price: short.price,
    priceChangedAt: short.priceChangedAt,
    priceUsd: short.priceUsd,
    priceUsdChangedAt: short.priceUsdChangedAt,
    supply,
    holdersCount: holders?.holders ?? 0n,
    holdersChangedAt: holders?.newestTimestamp,
    liquidityUsd: liquidity.liquidityUsd,
    tvl: liquidity.tvl,
    liquidityChangedAt: inputs.liquidityChangedAt,
    ...capsOf(short.priceUsd, supply, decimals),
    trustScore,
  };
  return { record, trustInputs };
}
