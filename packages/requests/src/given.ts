import type { RequestContract } from '@jetton-analytics/common';
import type { Value } from './values.js';

/** What a request carries, by flattened name; an amount has two: `.value` and `.decimals`. */
export type Given = ReadonlyMap<string, Value>;

/** The flattened names a request may carry, and whether each is an array. */
export function leavesOf(request: RequestContract): Map<string, { isArray: boolean }> {
  const leaves = new Map<string, { isArray: boolean }>();
  for (const [name, { kind }] of Object.entries(request)) {
    if (kind === 'amount') {
      leaves.set(`${name}.value`, { isArray: false });
      leaves.set(`${name}.decimals`, { isArray: false });
    } else leaves.set(name, { isArray: kind === 'addresses' || kind === 'enums' });
  }
  return leaves;
}
