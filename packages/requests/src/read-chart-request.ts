import {
  type ChartResolution,
  chartResolutions,
  type chartRequest,
  type Currency,
  type Operation,
  type PathContract,
  type PathValues,
} from '@jetton-analytics/common';
import type { ReadContext, RequestInput } from './read-context.js';
import { readAll } from './read-request.js';
import { Violations } from './violations.js';

export interface ChartQuery {
  readonly resolution: ChartResolution;
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  readonly currency: Currency;
  readonly gapFill: boolean;
}

/**
 * Reads a request of a price chart; `nowSeconds` (Unix) is the default of `to`, the longest range before it that of
 * `from`. Throws DomainError (invalidArgument) with everything wrong with it, a range too long for the resolution
 * included.
 */
export function readChartRequest<Path extends PathContract>(
  operation: Operation<typeof chartRequest, Path>,
  input: RequestInput,
  context: ReadContext & { readonly nowSeconds: number },
): ChartQuery & { readonly path: PathValues<Path> } {
  const violations = new Violations();
  const { values, path } = readAll(operation, input, context, violations);
  const { resolution, currency, gapFill } = values;
  // Undefined where the resolution itself is wrong: then there is no range to compare with.
  const rangeSecondsMax = (resolution as ChartResolution | undefined) && chartResolutions[resolution].rangeSecondsMax;
  const to = values.to ?? context.nowSeconds;
  const from = values.from ?? Math.max(0, to - (rangeSecondsMax ?? 0));
  if (values.from !== undefined && values.to === undefined && from > to) {
    violations.add('from', 'RANGE_EMPTY', 'must not be later than now');
  }
  if (rangeSecondsMax !== undefined && to - from > rangeSecondsMax) {
    violations.add('from', 'TOO_LARGE', `the range must be at most ${rangeSecondsMax} seconds`);
  }
  violations.throwIfAny();
  return { resolution, from, to, currency, gapFill, path };
}
