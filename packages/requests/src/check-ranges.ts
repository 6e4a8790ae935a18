import type { RequestContract, ScaledNumber } from '@jetton-analytics/common';
import { compareScaled } from './decimal.js';
import type { Violations } from './violations.js';

/** Names of the two ends of ranges of time; other ranges end in `.min` and `.max`. */
const timeRanges = [
  ['timeFrom', 'timeTo'],
  ['from', 'to'],
] as const;

const known = new WeakMap<RequestContract, readonly (readonly [string, string])[]>();

/** The names of the two ends of every range that a request may have. */
function rangesOf(request: RequestContract): readonly (readonly [string, string])[] {
  let ranges = known.get(request);
  if (ranges === undefined) {
    const lower = Object.keys(request).filter((name) => name.endsWith('.min'));
    ranges = [...lower.map((name) => [name, name.replace(/min$/, 'max')] as const), ...timeRanges];
    known.set(request, ranges);
  }
  return ranges;
}

/** A violation for every range of the request whose lower end is above its upper one. */
export function checkRanges(
  request: RequestContract,
  values: Readonly<Record<string, unknown>>,
  { isQuery, violations }: { isQuery: boolean; violations: Violations },
): void {
  for (const [low, high] of rangesOf(request)) {
    if (!isAbove(values[low], values[high])) continue;
    // In a query an amount's bound is written with its value.
    const suffix = isQuery && request[low]?.kind === 'amount' ? '.value' : '';
    violations.add(low + suffix, 'RANGE_EMPTY', `must not be greater than ${high}${suffix}`);
  }
}

function isAbove(low: unknown, high: unknown): boolean {
  if (typeof low === 'number' && typeof high === 'number') return low > high;
  if (typeof low === 'bigint' && typeof high === 'bigint') return low > high;
  return isScaled(low) && isScaled(high) && compareScaled(low, high) > 0;
}

function isScaled(value: unknown): value is ScaledNumber {
  return typeof value === 'object' && value !== null && 'value' in value && 'decimals' in value;
}
