import { divideRounded, plainText, type Fraction } from './exact.js';
import { timestampOf } from './windows.js';

export interface Amount {
  readonly value: string;
  readonly decimals: number;
}

/** As in docs/openapi.json, but changePercent is the text of the JSON number, so that a comparison sees every digit. */
export interface Change<Value> {
  readonly changePercent: string;
  readonly changeStatus?: 'noPrevious';
  readonly previous: Value;
  readonly current: Value;
  readonly calculatedAt: string;
}

const percentLimit = 999_999_999_999_999n; // 99,999,999,999.9999 × 10^4

/** (current − previous) / previous × 100 to 4 decimals, of two emitted values; previous is not 0. */
export function percentText(previous: Amount, current: Amount): string {
  const from = BigInt(previous.value) * 10n ** BigInt(current.decimals);
  const to = BigInt(current.value) * 10n ** BigInt(previous.decimals);
  const rounded = divideRounded((to - from) * 100n * 10_000n, from);
  const clamped = rounded > percentLimit ? percentLimit : rounded < -percentLimit ? -percentLimit : rounded;
  return plainText(clamped, 4);
}

function change<Value>(
  [previous, current]: readonly [Value, Value],
  toAmount: (value: Value) => Amount,
  at: number,
  isPrice: boolean,
): Change<Value> {
  const calculatedAt = timestampOf(at);
  if (toAmount(previous).value !== '0') {
    const changePercent = percentText(toAmount(previous), toAmount(current));
    return { changePercent, previous, current, calculatedAt };
  }
  const unchanged = { changePercent: '0', previous, current, calculatedAt };
  return isPrice || toAmount(current).value !== '0' ? { ...unchanged, changeStatus: 'noPrevious' } : unchanged;
}

/** Volumes already rounded to what is emitted. */
export function amountChange(previous: Amount, current: Amount, at: number): Change<Amount> {
  return change([previous, current], (value) => value, at, false);
}

export function countChange(previous: number, current: number, at: number): Change<string> {
  return change([String(previous), String(current)], (value) => ({ value, decimals: 0 }), at, false);
}

const usdAmount = (sum: bigint): Amount => ({ value: divideRounded(sum, 10n ** 12n).toString(), decimals: 6 });

/** Volumes in usd, × 10^18. */
export function volumeUsdChange(previous: bigint, current: bigint, at: number): Change<Amount> {
  return change([usdAmount(previous), usdAmount(current)], (value) => value, at, false);
}

export function priceChange(
  previous: Fraction | undefined,
  current: Fraction | undefined,
  naturalScale: number,
  at: number,
): Change<Amount> {
  return change([priceAmount(previous, naturalScale), priceAmount(current, naturalScale)], (value) => value, at, true);
}

/** floor(log10 x) of x > 0. */
function magnitude({ numerator, denominator }: Fraction): number {
  const reaches = (e: number) =>
    e >= 0 ? numerator >= denominator * 10n ** BigInt(e) : numerator * 10n ** BigInt(-e) >= denominator;
  let e = numerator.toString().length - denominator.toString().length;
  while (reaches(e + 1)) e += 1;
  while (!reaches(e)) e -= 1;
  return e;
}

/** A price as emitted: 12 significant digits or the natural scale (9 for ton and counterpart, 6 for usd). */
export function priceAmount(price: Fraction | undefined, naturalScale: number): Amount {
  const none = { value: '0', decimals: naturalScale };
  if (price === undefined || price.numerator === 0n) return none;
  const e = magnitude(price);
  if (e >= 30) return none;
  const decimals = Math.min(36, Math.max(naturalScale, 11 - e));
  const value = divideRounded(price.numerator * 10n ** BigInt(decimals), price.denominator);
  return value === 0n ? none : { value: value.toString(), decimals };
}
