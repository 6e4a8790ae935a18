import { describe, expect, it } from '@jest/globals';
import { type Operation, operations, type Parameter, Problem } from '@jetton-analytics/common';
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  double,
  json,
  jsonValue,
  oneof,
  option,
  string,
  subarray,
  tuple,
} from 'fast-check';
import { hostile, walkers } from '../support/moving-market.js';
import type { RunningService } from './running-service.js';

const runsPerOperation = 25;
const notHarmless = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Something that a parameter of each kind cannot be. */
const wrong: Readonly<Record<Parameter['kind'], string>> = {
  integer: 'abc',
  boolean: 'perhaps',
  text: '\u0001',
  cursor: 'x',
  addresses: 'nonsense',
  address: 'nonsense',
  hash: 'zz',
  enum: '??',
  enums: '??',
  decimal: 'much',
  int64: '1.5',
  amount: '-1',
  instant: 'yesterday',
};
const isArray = ({ kind }: Parameter): boolean => kind === 'addresses' || kind === 'enums';
const likely = ['', '0', '1', '-1', '101', '1e400', '0x10', 'NaN', 'true', 'ton', 'TON', 'asc', '2026-01-01T00:00:00Z'];
const anyText = oneof(
  constantFrom(...likely, ...Object.values(wrong), walkers[0] ?? '', '9'.repeat(400), '\u202e', ',', 'a,,b', '💎'),
  string({ unit: 'grapheme', maxLength: 40 }),
);
/** Percent-encoding as no library would write it. */
const rawText = constantFrom('%', '%zz', '%00', '%ff%fe', '+', '%2C', '%ed%a0%80', ';', '%0d%0aX-Injected:1');
const written = oneof({ weight: 6, arbitrary: anyText.map(encodeURIComponent) }, { weight: 1, arbitrary: rawText });

/** `/v1/jettons/{address}` with known words in its places, or others. */
function pathOf(operation: Operation, words: readonly string[] = []): string {
  let at = -1;
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    at += 1;
    const parameter = operation.pathParameters[name];
    const valid = parameter?.kind === 'enum' ? (parameter.values[0] ?? '') : (walkers[at] ?? '');
    return words[at] ?? encodeURIComponent(valid);
  });
}

const nest = (entries: readonly (readonly [string, unknown])[]): object => {
  const root: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const keys = name.split('.');
    const last = keys.pop() ?? '';
    let place = root;
    for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
    place[last] = value;
  }
  return root;
};

const nameOf = ([name, { kind }]: readonly [string, Parameter]) => (kind === 'amount' ? `${name}.value` : name);

/** What is wrong with an answer: it must be of the contract, or the one error body, and never a 5xx. */
async function faultsOf(operation: Operation, response: Response): Promise<unknown[]> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 200) {
    const answer: unknown = operation.responseType === 'application/json' ? JSON.parse(text) : text;
    const { error } = operation.response.safeParse(answer);
    return [error, type.includes(operation.responseType) ? undefined : type].filter((fault) => fault !== undefined);
  }
  const problem = Problem.strict().safeParse(JSON.parse(text));
  const told = problem.data?.details.length ?? 0;
  const faults: [string, boolean][] = [
    [`status ${response.status}`, response.status >= 500],
    [`type ${type}`, type !== 'application/problem+json'],
    [`another body: ${text}`, problem.data?.status !== response.status],
    ['details where there is nothing to list, or none', told > 0 !== (response.status === 400)],
    ['an injected header', response.headers.has('x-injected')],
    [`told of the inside: ${text}`, /node_modules|dist\/|ECONN|SELECT |127\.0\.0\.1/.test(text)],
  ];
  return faults.filter(([, isFault]) => isFault).map(([fault]) => fault);
}

/** All texts of a JSON value. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)])
      : [];

/** Any operation with anything in every parameter. */
export function fuzzSuite(running: () => RunningService, seed: number): void {
  const send = (path: string, body?: string) =>
    running().client.fetch(path, { key: running().key, ...(body !== undefined && { body }) });

  describe(`anything a client may send, seed ${seed}`, () => {
    it.each(operations.map((operation) => [operation.id, operation] as const))(
      '%s answers or refuses with the one error body, never with a failure of ours',
      async (_id, operation) => {
        const names = Object.keys(operation.request);
        const name = names.length > 0 ? constantFrom(...names, 'unknownName', '_buster', '__proto__') : anyText;
        const words = array(
          written.filter((word) => word !== ''),
          { maxLength: 3 },
        );
        const query = array(tuple(name, written), { maxLength: 6 });
        const value = oneof(anyText, jsonValue({ maxDepth: 3 }), double(), array(anyText, { maxLength: 5 }));
        const fields = array(tuple(name, value), { maxLength: 6 }).map((entries) => JSON.stringify(nest(entries)));
        const anyBody = oneof(fields, json(), string(), constant('['.repeat(5_000)));
        const request = tuple(option(words), query, anyBody);
        await assert(
          asyncProperty(request, async ([path, parameters, body]) => {
            const asked = parameters.map(([one, text]) => `${encodeURIComponent(one)}=${text}`).join('&');
            const isPost = operation.method === 'POST';
            const target = `${pathOf(operation, path ?? [])}?${isPost ? '' : asked}`;
            const response = await send(target, isPost ? body : undefined);
            // Other words in the path may be another operation's.
            const isOther = path !== null && response.status === 200;
            expect(isOther ? [] : await faultsOf(operation, response)).toEqual([]);
          }),
          { seed, numRuns: runsPerOperation, endOnFailure: true },
        );
      },
      300_000,
    );

    it.each(operations.filter(({ request }) => Object.keys(request).length > 1).map((one) => [one.id, one] as const))(
      '%s lists all violations of a request at once',
      async (_id, operation) => {
        const entries = Object.entries(operation.request);
        await assert(
          asyncProperty(subarray(entries, { minLength: 1 }), async (chosen) => {
            const required = entries.filter(([, parameter]) => 'required' in parameter);
            const bad = [...new Map([...chosen, ...required])];
            const query = bad.map((one) => `${nameOf(one)}=${encodeURIComponent(wrong[one[1].kind])}`);
            const body = nest([
              ...bad.map((one) => [nameOf(one), isArray(one[1]) ? [wrong[one[1].kind]] : wrong[one[1].kind]] as const),
              ['unknownName', 1],
            ]);
            const isPost = operation.method === 'POST';
            const target = isPost ? pathOf(operation) : `${pathOf(operation)}?${query.join('&')}&unknownName=1`;
            const response = await send(target, isPost ? JSON.stringify(body) : undefined);
            expect(response.status).toBe(400);
            const { details } = Problem.strict().parse(await response.json());
            const told = details.map(({ field }) => field.replace(/\[\d+\]$/, '')).toSorted();
            expect(told).toEqual([...bad.map(nameOf), 'unknownName'].toSorted());
          }),
          { seed, numRuns: runsPerOperation, endOnFailure: true },
        );
      },
      300_000,
    );

    it('hostile metadata comes out harmless wherever it is shown', async () => {
      const paths = [
        `/v1/jettons/${hostile}`,
        ...['', '/metrics', '/stats'].map((of) => `/v1/jettons${of}?address=${hostile}`),
      ];
      for (const path of paths) {
        const response = await send(path);
        expect([path, response.status]).toEqual([path, 200]);
        expect(response.headers.get('content-type')).toBe('application/json');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        const text = await response.text();
        expect(text.length).toBeLessThan(20_000);
        expect(textsOf(JSON.parse(text)).filter((one) => notHarmless.test(one))).toEqual([]);
      }
      const { details } = (await (await send(`/v1/jettons/${hostile}`)).json()) as {
        details: { metadata: { name: string; symbol: string; links: { url: string; type: string }[] } };
      };
      const { name, symbol, links } = details.metadata;
      expect(Array.from(name).length).toBe(256);
      expect(Array.from(symbol).length).toBeLessThanOrEqual(64);
      expect(links).toMatchObject([{ url: 'https://example.com/', type: 'LINK_TYPE_UNSPECIFIED' }]);
      const preview = await send(`/v1/jettons/${hostile}/chart-previews/price-day-dark.svg`);
      expect(await preview.text()).not.toMatch(/<img|<script/);
    });
  });
}
