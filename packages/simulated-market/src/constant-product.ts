const feeBase = 10_000n;

/** Raw units of both sides. */
export interface Reserves {
  readonly left: bigint;
  readonly right: bigint;
}

export interface Swap {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly reserves: Reserves;
}

/**
 * A swap in a constant-product pool, the fee taken from the input and left in the pool:
 * out = reserveOut·in' ÷ (reserveIn + in'), in' = in·(1 − fee), rounded down, so that left × right never falls.
 * Gives undefined where nothing would come out. `soldLeft` says that the left asset goes in.
 */
export function swap(reserves: Reserves, soldLeft: boolean, amountIn: bigint, feeBps: number): Swap | undefined {
  if (amountIn <= 0n) return undefined;
  const reserveIn = soldLeft ? reserves.left : reserves.right;
  const reserveOut = soldLeft ? reserves.right : reserves.left;
  const net = amountIn * (feeBase - BigInt(feeBps));
  const amountOut = (reserveOut * net) / (reserveIn * feeBase + net);
  if (amountOut <= 0n) return undefined;
  const left = soldLeft ? reserves.left + amountIn : reserves.left - amountOut;
  const right = soldLeft ? reserves.right - amountOut : reserves.right + amountIn;
  return { amountIn, amountOut, reserves: { left, right } };
}
