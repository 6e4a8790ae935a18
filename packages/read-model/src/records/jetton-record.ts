import type { Verification } from '@jetton-analytics/common';
import type { AmountText, Supply } from '@jetton-analytics/figures';

export interface JettonLink {
  readonly name: string;
  readonly url: string;
  /** A LinkType of the contracts, or whatever the feed says. */
  readonly type: string;
}

/**
 * What is known of a jetton from its metadata: strings are cleaned, unknown name and symbol are ''. The same object as
 * long as nothing of it changes.
 */
export interface JettonMetadataRecord {
  readonly name: string;
  readonly symbol: string;
  readonly description: string | undefined;
  readonly image: string | undefined;
  readonly offchainImage: string | undefined;
  readonly offchainDescription: string | undefined;
  /** Raw address. */
  readonly adminAddress: string | undefined;
  /** Raw address. */
  readonly adminOffchainAddress: string | undefined;
  readonly links: readonly JettonLink[];
  /** Unknown: false. */
  readonly mintable: boolean;
  /** The code is known and none of the standard minters'; unknown: false. */
  readonly modifiedContract: boolean;
}

/**
 * A jetton with its metrics at C of the hour window (docs/statistics.md, "Metrics"), every figure as emitted; undefined where
 * it is unknown. The same object as long as nothing of it changes, so that rendered bytes can be kept by it; it can be
 * handed to `metricsInCurrency` as it is.
 */
export interface JettonRecord {
  /** Raw lower-case address. */
  readonly address: string;
  readonly metadata: JettonMetadataRecord;
  readonly verification: Verification;
  readonly decimals: number;
  /** Unix seconds; undefined while neither metadata nor the first trade has been read. */
  readonly createdAt: number | undefined;
  /** In ton. */
  readonly price: AmountText | undefined;
  /** Start of the minute of the newest point that the price rests on, Unix seconds. */
  readonly priceChangedAt: number | undefined;
  readonly priceUsd: AmountText | undefined;
  readonly priceUsdChangedAt: number | undefined;
  /** Raw units; caps may be told only where it is complete. */
  readonly supply: Supply;
  readonly holdersCount: bigint;
  /** Timestamp of the newest balance, Unix seconds. */
  readonly holdersChangedAt: number | undefined;
  readonly liquidityUsd: AmountText | undefined;
  /** The same sum in ton. */
  readonly tvl: AmountText | undefined;
  /** last_updated of the newest state of its pools, Unix seconds. */
  readonly liquidityChangedAt: number | undefined;
  /** In usd. */
  readonly fdmc: AmountText | undefined;
  /** In usd. */
  readonly mcap: AmountText | undefined;
  /** 0 to 100; its parts: ReadModel.trustScore. */
  readonly trustScore: number;
}
