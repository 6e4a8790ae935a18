/** The newest state of a pool. Sides are `ton`, raw addresses of jettons or '' where the feed did not say. */
export interface PoolState {
  readonly pool: string;
  readonly version: bigint;
  readonly project: string;
  /** Unix seconds, 0: unknown. */
  readonly discoveredAt: number;
  readonly leftAsset: string;
  readonly rightAsset: string;
  readonly reservesLeft: bigint | undefined;
  readonly reservesRight: bigint | undefined;
  /** Plain decimal text. */
  readonly tvlUsd: string | undefined;
  readonly tvlTon: string | undefined;
  /** Unix seconds, 0: the message had none. */
  readonly lastUpdated: number;
  readonly isLiquid: boolean | undefined;
}

/** Is told of every change of a pool's state. */
export type PoolListener = (state: PoolState, former: PoolState | undefined) => void;
