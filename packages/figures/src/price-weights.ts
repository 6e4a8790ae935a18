/** Minutes that a price looks back from the newest point. */
export const priceWindowMinutes = 60;

/** The greatest c with c^5 ≤ x, for x ≥ 0, by bisection. */
export function fifthRoot(x: bigint): bigint {
  let low = 0n;
  let high = 1n << (BigInt(x.toString(2).length) / 5n + 1n);
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** 5n <= x) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * W(k) for k = 0 … 59: the greatest integer c with c^5 ≤ 2^(320−k), a half-life of five minutes with W(0) = 2^64.
 * Source: docs/statistics.md, "Price of a jetton".
 */
export const priceWeights: readonly bigint[] = Array.from({ length: priceWindowMinutes }, (_, k) =>
  fifthRoot(1n << BigInt(320 - k)),
);
