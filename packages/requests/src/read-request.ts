import type {
  Operation,
  Parameter,
  PathContract,
  PathValues,
  RequestContract,
  RequestValues,
} from '@jetton-analytics/common';
import { checkRanges } from './check-ranges.js';
import { givenByBody } from './given-by-body.js';
import { givenByQuery } from './given-by-query.js';
import type { Given } from './given.js';
import type { ReadContext, RequestInput } from './read-context.js';
import { readAmount } from './read-amount.js';
import { readScalar, type Reading } from './read-parameter.js';
import type { Value } from './values.js';
import { Violations } from './violations.js';

export interface ReadRequest<Request extends RequestContract, Path extends PathContract> {
  readonly values: RequestValues<Request>;
  readonly path: PathValues<Path>;
}

/**
 * Reads a request of an operation: path parameters, and the query of a GET or the body of a POST. The result is by
 * flattened name: addresses raw and unique, words in the spelling of answers, numbers exact, defaults filled in.
 * Throws DomainError (invalidArgument) that lists everything wrong with the request at once, by the names the client
 * wrote. Source: docs/http-api.md, "Addresses", "Encoding", "Filters and sorting".
 */
export function readRequest<Request extends RequestContract, Path extends PathContract>(
  operation: Operation<Request, Path>,
  input: RequestInput,
  context: ReadContext,
): ReadRequest<Request, Path> {
  const violations = new Violations();
  const read = readAll(operation, input, context, violations);
  violations.throwIfAny();
  return read;
}

/** Like readRequest, but leaves what is wrong in `violations`, for a caller that has more to check. */
export function readAll<Request extends RequestContract, Path extends PathContract>(
  operation: Operation<Request, Path>,
  { url, body = new Uint8Array() }: RequestInput,
  context: ReadContext,
  violations: Violations,
): ReadRequest<Request, Path> {
  const reading: Reading = { context, violations };
  const path = readPath(operation.pathParameters, reading);
  const isQuery = operation.method === 'GET';
  const given = isQuery
    ? givenByQuery(url, operation.request, violations)
    : givenByBody(body, operation.request, violations);
  if (!isQuery) givenByQuery(url, {}, violations);
  const values = readValues(operation.request, given, reading);
  checkRanges(operation.request, values, { isQuery, violations });
  // Each value was read by the parameter of its name; where one is wrong the caller throws instead of using them.
  return { values: values as RequestValues<Request>, path: path as PathValues<Path> };
}

function readPath(contract: PathContract, reading: Reading): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(contract).map(([name, parameter]) => {
      const value = reading.context.path?.[name] ?? '';
      return [name, readScalar(parameter, name, { type: 'text', value }, reading)];
    }),
  );
}

function readValues(contract: RequestContract, given: Given, reading: Reading): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(contract).map(([name, parameter]) => [name, readParameter(parameter, name, given, reading)]),
  );
}

function readParameter(parameter: Parameter, name: string, given: Given, reading: Reading): unknown {
  if (parameter.kind === 'amount') return readAmount(name, given, reading);
  const value = given.get(name);
  if (parameter.kind === 'addresses' || parameter.kind === 'enums') {
    return readArray(parameter, name, value, reading);
  }
  const standard = 'default' in parameter ? parameter.default : undefined;
  return value === undefined ? standard : readScalar(parameter, name, value, reading);
}

function readArray(
  parameter: Extract<Parameter, { kind: 'addresses' | 'enums' }>,
  name: string,
  value: Value | undefined,
  reading: Reading,
): unknown[] {
  const { violations } = reading;
  const isRequired = parameter.kind === 'addresses' && parameter.required === true;
  if (value !== undefined && value.type !== 'array') {
    violations.add(name, 'WRONG_TYPE', 'must be an array');
    return [];
  }
  const items = value?.items ?? [];
  if (items.length === 0 && isRequired) violations.add(name, 'REQUIRED', 'is required and must not be empty');
  if (items.length > parameter.itemsMax) {
    violations.add(name, 'TOO_MANY', `must have at most ${parameter.itemsMax} entries`);
  }
  const read = items
    .slice(0, parameter.itemsMax)
    .map((item, index) => readScalar(parameter, `${name}[${index}]`, item, reading));
  return [...new Set(read)];
}
