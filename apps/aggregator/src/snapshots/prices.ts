import {
  type AmountText,
  counterpartPriceAt,
  noPriceAmount,
  priceAmount,
  priceAt,
  priceDecimals,
  type PricePoint,
  scaledFromDecimal,
} from '@jetton-analytics/figures';
import type { PriceInput } from './price-inputs.query.js';

/** A jetton's prices at one instant, as emitted. */
export interface JettonPrice {
  readonly ton: AmountText;
  readonly usd: AmountText;
  /** Start of the minute of the newest point, Unix seconds; 0: there is none. */
  readonly changedAt: { readonly ton: number; readonly usd: number };
}

export const noJettonPrice: JettonPrice = {
  ton: noPriceAmount(priceDecimals.ton),
  usd: noPriceAmount(priceDecimals.fiat),
  changedAt: { ton: 0, usd: 0 },
};

export const noCounterpartPrice: AmountText = noPriceAmount(priceDecimals.counterpart);

const volumeScale = 18;
export const tonPoint = (row: PriceInput): PricePoint => ({
  minute: row.minute_s,
  volume: scaledFromDecimal(row.price_volume_ton, volumeScale),
  amount: BigInt(row.price_amount_ton),
});

export const usdPoint = (row: PriceInput): PricePoint => ({
  minute: row.minute_s,
  volume: scaledFromDecimal(row.price_volume_usd, volumeScale),
  amount: BigInt(row.price_amount_usd),
});

export const isPoint = ({ volume, amount }: PricePoint): boolean => volume > 0n && amount > 0n;

const newestMinute = (points: readonly PricePoint[]) =>
  points.reduce((newest, point) => (isPoint(point) ? Math.max(newest, point.minute) : newest), 0);

/** The price from the points of one jetton before the instant. */
export function jettonPriceOf(ton: readonly PricePoint[], usd: readonly PricePoint[], decimals: number): JettonPrice {
  return {
    ton: priceAmount(priceAt(ton, decimals), priceDecimals.ton),
    usd: priceAmount(priceAt(usd, decimals), priceDecimals.fiat),
    changedAt: { ton: newestMinute(ton), usd: newestMinute(usd) },
  };
}

/** A counting minute of one pool against one asset. */
export interface CountingMinute {
  readonly pool: string;
  readonly asset: string;
  readonly minute: number;
  readonly counterAmount: bigint;
  readonly amount: bigint;
  /** Event time and id of its newest leg: greater text is later. */
  readonly newestLeg: string;
}

/** What a row says against each of its counter assets. */
export const countingMinutes = (row: PriceInput): CountingMinute[] =>
  row.counterparts.map((counterpart) => ({
    pool: row.pool,
    asset: counterpart.asset,
    minute: row.minute_s,
    counterAmount: BigInt(counterpart.counter_amount),
    amount: BigInt(counterpart.amount),
    newestLeg: `${counterpart.last_event_time}|${counterpart.last_event_id}`,
  }));

/** The other side of the newest counting leg; undefined: none counts. */
export function counterAssetOf(minutes: readonly CountingMinute[]): string | undefined {
  let newest: CountingMinute | undefined;
  for (const minute of minutes) if (newest === undefined || minute.newestLeg > newest.newestLeg) newest = minute;
  return newest?.asset;
}

/** The price in units of `asset` over the last of the minutes that counts against it. */
export function counterpartPriceOf(
  minutes: readonly CountingMinute[],
  asset: string,
  decimalsOf: (asset: string) => number,
  decimals: number,
): AmountText {
  const rows = minutes.filter((minute) => minute.asset === asset);
  return priceAmount(counterpartPriceAt(rows, decimalsOf(asset), decimals), priceDecimals.counterpart);
}
