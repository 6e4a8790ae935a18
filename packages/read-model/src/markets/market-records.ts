import { type Assets, nativeAsset } from '@jetton-analytics/feed';
import {
  type AmountText,
  isPrice,
  nativeUnit,
  parseDecimal,
  poolLiquidity,
  type PoolSide,
  type QuoteUnit,
  type Rational,
  roundedQuotientAmount,
  stableUnit,
  volumeDecimals,
} from '@jetton-analytics/figures';
import type { Quotes } from '../derive/quotes.js';
import type { PoolState } from '../pools/pool-state.js';
import type { MarketRecord } from '../records/market-record.js';
import { marketCounterpart, marketFigures } from '../snapshots/figures-text.js';
import type { ItemFigures } from '../snapshots/snapshots.js';

const quoteDecimals = 9;

function quoteUnit(asset: string, assets: Assets, { nativeUsd, lsdUsd }: Quotes): QuoteUnit | undefined {
  if (asset === nativeAsset) return nativeUnit(nativeUsd);
  if (assets.isStable(asset)) return stableUnit;
  const usd = lsdUsd.get(asset);
  return usd && { usd, decimals: quoteDecimals };
}

const amount = (exact: Rational | undefined, decimals: number): AmountText | undefined =>
  exact && roundedQuotientAmount(exact, decimals);

function liquidityOf(state: PoolState | undefined, assets: Assets, quotes: Quotes) {
  if (state === undefined) return { liquidityUsd: undefined, liquidityTon: undefined };
  const side = (asset: string, reserve: bigint | undefined): PoolSide => ({
    reserve,
    quote: quoteUnit(asset, assets, quotes),
  });
  const value = poolLiquidity(
    {
      tvlUsd: state.tvlUsd === undefined ? undefined : parseDecimal(state.tvlUsd),
      tvlTon: state.tvlTon === undefined ? undefined : parseDecimal(state.tvlTon),
      isLiquid: state.isLiquid,
      left: side(state.leftAsset, state.reservesLeft),
      right: side(state.rightAsset, state.reservesRight),
    },
    quotes.nativeUsd,
  );
  return {
    liquidityUsd: amount(value.usd, volumeDecimals.fiat),
    liquidityTon: amount(value.ton, volumeDecimals.ton),
  };
}

function otherSide({ leftAsset, rightAsset }: PoolState, jetton: string): string | undefined {
  const other = leftAsset === jetton ? rightAsset : rightAsset === jetton ? leftAsset : '';
  return other === '' ? undefined : other;
}

export interface MarketInputs {
  readonly jetton: string;
  readonly pool: string;
  readonly state: PoolState | undefined;
  /** Texts of the market's rows; undefined: only the state names it. */
  readonly figures: ItemFigures | undefined;
}

/**
 * A market as it is shown. The price stands beside the asset it is in, which is the snapshot's where there is one. Pure.
 * Throws RangeError for texts that are none.
 */
export function marketRecord(
  { jetton, pool, state, figures }: MarketInputs,
  assets: Assets,
  quotes: Quotes,
): MarketRecord {
  const counterpart = figures && marketCounterpart(figures);
  const price =
    figures && marketFigures({ ...figures, mid: undefined, long: undefined }).hour?.priceCounterpart.current;
  const discoveredAt = state?.discoveredAt ?? 0;
  return {
    poolAddress: pool,
    counterpart: counterpart ?? (state && otherSide(state, jetton)),
    exchangeId: state?.project ?? '',
    createdAt: discoveredAt === 0 ? undefined : discoveredAt,
    ...liquidityOf(state, assets, quotes),
    price: price !== undefined && isPrice(price) ? price : undefined,
  };
}
