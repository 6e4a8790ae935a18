import {
  type ListQuery,
  type listRequest,
  type Operation,
  type PriceChangeWindow,
  priceChangeWindows,
  type Range,
  type RequestValues,
  type ScaledNumber,
} from '@jetton-analytics/common';
import type { ReadContext, RequestInput } from './read-context.js';
import { readRequest } from './read-request.js';

type ListValues = RequestValues<typeof listRequest>;

/**
 * Reads a request of operations 1, 3, 4 and 5, in either form, into what the list engine answers.
 * Throws DomainError (invalidArgument) with everything wrong with it, `checkCursor`'s verdict included.
 */
export function readListRequest(
  operation: Operation<typeof listRequest>,
  input: RequestInput,
  context: ReadContext,
): ListQuery {
  const { values } = readRequest(operation, input, context);
  const { limit, cursor, excludeScam, search, address, admin, verification, sort, order, currency } = values;
  return {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
    excludeScam,
    ...(search === undefined ? {} : { search }),
    address,
    admin,
    verification,
    sort,
    order,
    priceChangeTon: priceChangesOf(values),
    liquidityUsd: rangeOf(values['liquidity.usd.min'], values['liquidity.usd.max']),
    fdmc: rangeOf(values['fdmc.min'], values['fdmc.max']),
    trustScore: rangeOf(values['trustScore.min'], values['trustScore.max']),
    holders: rangeOf(values['holders.min'], values['holders.max']),
    currency,
  };
}

function rangeOf<T>(min: T | undefined, max: T | undefined): Range<T> {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function priceChangesOf(values: ListValues): ListQuery['priceChangeTon'] {
  const ranges: Partial<Record<PriceChangeWindow, Range<ScaledNumber>>> = {};
  for (const window of priceChangeWindows) {
    const range = rangeOf(values[`priceChange.ton.${window}.min`], values[`priceChange.ton.${window}.max`]);
    if (range.min !== undefined || range.max !== undefined) ranges[window] = range;
  }
  return ranges;
}
