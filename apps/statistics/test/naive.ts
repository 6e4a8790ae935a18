// The definitions of docs/statistics.md once more, in the plainest way, to compare the answers with.

const scale = 40;

/** Plain decimal text as an integer scaled by 10^40. */
export function scaledUp(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/** Half away from zero; both ≥ 0. */
const dividedRounded = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

/** An integer scaled by 10^`from`, rounded to an amount of `decimals`. */
export const amount = (value: bigint, decimals: number, from = scale) => ({
  value: String(dividedRounded(value, 10n ** BigInt(from - decimals))),
  decimals,
});

function percent(current: bigint, previous: bigint): { changePercent: number; changeStatus?: string } {
  if (previous === 0n) return { changePercent: 0, ...(current !== 0n && { changeStatus: 'noPrevious' }) };
  const difference = current - previous;
  const rounded = dividedRounded((difference < 0n ? -difference : difference) * 1_000_000n, previous);
  const text = rounded.toString().padStart(5, '0');
  const size = Number(`${text.slice(0, -4)}.${text.slice(-4)}`);
  return { changePercent: difference < 0n ? -size : size };
}

export const countChange = (current: string, previous: string, calculatedAt: string) => ({
  ...percent(BigInt(current), BigInt(previous)),
  previous,
  current,
  calculatedAt,
});

type Amount = ReturnType<typeof amount>;

export const amountChange = (current: Amount, previous: Amount, calculatedAt: string) => ({
  ...percent(BigInt(current.value), BigInt(previous.value)),
  previous,
  current,
  calculatedAt,
});

type PriceTuple = readonly [value: string, decimals: number];

/** value "0" is no price. */
export function priceChange(
  [now, nowDecimals]: PriceTuple,
  [before, beforeDecimals]: PriceTuple,
  calculatedAt: string,
) {
  const current = BigInt(now) * 10n ** BigInt(beforeDecimals);
  const previous = BigInt(before) * 10n ** BigInt(nowDecimals);
  return {
    ...(previous === 0n ? { changePercent: 0, changeStatus: 'noPrevious' } : percent(current, previous)),
    previous: { value: before, decimals: beforeDecimals },
    current: { value: now, decimals: nowDecimals },
    calculatedAt,
  };
}

/** Deterministic numbers of up to 32 bits; the seed is the only state. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // the high bits are the good ones
    return (state ^ (state >>> 15)) >>> 0;
  };
}
