import type { AmountText } from '@jetton-analytics/figures';

/** A pool as a market of one jetton, as far as it is known. */
export interface MarketRecord {
  /** Raw lower-case address. */
  readonly poolAddress: string;
  /** The pool's other asset: `ton` or the raw address of a jetton. */
  readonly counterpart: string | undefined;
  /** The feed's `project` of the pool, '' where it is not known. */
  readonly exchangeId: string;
  /** discovered_at, Unix seconds. */
  readonly createdAt: number | undefined;
  /** Value of the whole pool; a definite 0 where it is not liquid. */
  readonly liquidityUsd: AmountText | undefined;
  readonly liquidityTon: AmountText | undefined;
  /** In units of the counterpart, at C of the hour window. */
  readonly price: AmountText | undefined;
}
