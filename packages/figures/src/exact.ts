/** An exact decimal: value / 10^decimals. */
export interface Scaled {
  readonly value: bigint;
  readonly decimals: number;
}

/** An exact quotient, not necessarily reduced; the denominator is > 0. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const powers: bigint[] = [1n];

/** 10^exponent for a whole exponent ≥ 0; kept, since the same few come up all the time. */
export function pow10(exponent: number): bigint {
  for (let next = powers.length; next <= exponent; next += 1) powers.push((powers[next - 1] ?? 1n) * 10n);
  const power = powers[exponent];
  if (power === undefined) throw new RangeError(`no power of ten: ${exponent}`);
  return power;
}

/** numerator / denominator (> 0) rounded to a whole number, halves away from zero. */
export function dividedHalfAway(numerator: bigint, denominator: bigint): bigint {
  const twice = 2n * denominator;
  return numerator < 0n ? -((denominator - 2n * numerator) / twice) : (2n * numerator + denominator) / twice;
}

/** The same number at another scale, rounded half away from zero where digits are lost. */
export function rescaled({ value, decimals }: Scaled, to: number): bigint {
  if (to === decimals) return value;
  return to > decimals ? value * pow10(to - decimals) : dividedHalfAway(value, pow10(decimals - to));
}

/** a + b, exact. */
export function addScaled(a: Scaled, b: Scaled): Scaled {
  const decimals = Math.max(a.decimals, b.decimals);
  return { value: rescaled(a, decimals) + rescaled(b, decimals), decimals };
}
