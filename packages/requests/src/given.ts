import type { RequestContract } from '@jetton-analytics/common';
import type { Value } from './values.js';

/** What a request carries, by flattened name; an amount has two: `.value` and `.decimals`. */
export type Given = ReadonlyMap<string, Value>;

type Leaves = ReadonlyMap<string, { readonly isArray: boolean }>;
const known = new WeakMap<RequestContract, Leaves>();

/** The flattened names a request may carry, and whether each is an array. */
export function leavesOf(request: RequestContract): Leaves {
  let leaves = known.get(request);
  if (leaves === undefined) {
    leaves = flattened(request);
    known.set(request, leaves);
  }
  return leaves;
}

function flattened(request: RequestContract): Leaves {
  const leaves = new Map<string, { isArray: boolean }>();
  for (const [name, { kind }] of Object.entries(request)) {
    if (kind === 'amount') {
      leaves.set(`${name}.value`, { isArray: false });
      leaves.set(`${name}.decimals`, { isArray: false });
    } else leaves.set(name, { isArray: kind === 'addresses' || kind === 'enums' });
  }
  return leaves;
}
