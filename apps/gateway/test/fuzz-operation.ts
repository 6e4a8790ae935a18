import { expect } from '@jest/globals';
import { type Operation, Problem } from '@jetton-analytics/common';
import * as fc from 'fast-check';

/** A request of an operation with anything for its parameters. */
interface Fuzz {
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

const odd = fc.constantFrom(
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '{}',
  '[]',
  '\u0000',
  '\uD800',
  '\u202E',
  '%',
  '../..',
  "' OR 1=1 --",
  '<script>',
  '__proto__',
  'constructor',
  '9'.repeat(400),
  'x'.repeat(5_000),
  `0:${'a1'.repeat(32)}`,
  `0:${'A1'.repeat(32)}`,
  'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
);
const anyText = fc.oneof(
  odd,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer().map(String),
  fc.double().map(String),
);
const anyJson = fc.oneof(
  anyText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Texts of any kind, and those that the contract takes. */
function valueOf(operation: Operation, name: string): fc.Arbitrary<string> {
  const parameter = operation.request[name];
  const given = [
    ...(parameter !== undefined && 'values' in parameter ? parameter.values : []),
    ...(parameter?.examples ?? []).map(String),
  ];
  return given.length === 0 ? anyText : fc.oneof(anyText, fc.constantFrom(...given));
}

function queryOf(operation: Operation): fc.Arbitrary<Fuzz['query']> {
  const names = Object.keys(operation.query?.shape ?? {});
  const known = names.map((name) => fc.tuple(fc.constant(name), valueOf(operation, name)));
  const unknown = fc.tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }), anyText);
  return fc.array(fc.oneof(...known, unknown), { maxLength: 6 });
}

function nested(entries: readonly (readonly [string, unknown])[]): unknown {
  const root: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const steps = name.split('.');
    const last = steps.pop() ?? name;
    let node = root;
    for (const step of steps) {
      const next = node[step];
      const child = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {};
      node[step] = child;
      node = child;
    }
    node[last] = value;
  }
  return root;
}

function bodyOf(operation: Operation): fc.Arbitrary<string | undefined> {
  if (operation.method === 'GET') return fc.constant(undefined);
  const known = Object.keys(operation.request).map((name) =>
    fc.tuple(fc.constant(name), fc.oneof(anyJson, valueOf(operation, name), fc.array(anyText, { maxLength: 120 }))),
  );
  const entries = fc.array(fc.oneof(...known), { maxLength: 6 });
  return fc.oneof(
    entries.map((some) => JSON.stringify(nested(some))),
    anyJson.map((value) => JSON.stringify(value)),
    anyText,
  );
}

/** Requests of an operation: path parameters, query and body are anything at all. */
export function fuzzOf(operation: Operation): fc.Arbitrary<Fuzz> {
  const path = Object.fromEntries(Object.keys(operation.pathParameters).map((name) => [name, anyText]));
  return fc.record({ path: fc.record(path), query: queryOf(operation), body: bodyOf(operation) });
}

// A lone surrogate cannot be encoded: as a client that encodes carelessly would send it.
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
}

/** Sends a request to a gateway and checks that its answer is the one promised, or the one error body. */
export async function checkFuzz(url: string, key: string, operation: Operation, fuzz: Fuzz): Promise<number> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encoded(fuzz.path[name] ?? ''));
  const query = fuzz.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const response = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
    method: operation.method,
    headers: { 'X-API-Key': key, ...(fuzz.body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(fuzz.body !== undefined && { body: fuzz.body }),
  });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  if (response.status === 200) {
    expect(response.headers.get('content-type')).toBe(operation.responseType);
    const answer: unknown = operation.responseType === 'application/json' ? JSON.parse(text) : text;
    expect(operation.response.safeParse(answer).error).toBeUndefined();
    return response.status;
  }
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = Problem.parse(JSON.parse(text));
  expect([problem.status, problem.requestId]).toEqual([response.status, response.headers.get('x-request-id')]);
  return response.status;
}
