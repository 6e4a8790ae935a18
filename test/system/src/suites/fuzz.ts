import { describe, expect, it } from '@jest/globals';
import { type Operation, operations, type Parameter, Problem } from '@jetton-analytics/common';
import fc from 'fast-check';
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
const anyText = fc.oneof(
  fc.constantFrom(...likely, ...Object.values(wrong), walkers[0] ?? '', '9'.repeat(400), '\u202e', ',', 'a,,b', '💎'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
/** Percent-encoding as no library would write it. */
const rawText = fc.constantFrom('%', '%zz', '%00', '%ff%fe', '+', '%2C', '%ed%a0%80', ';', '%0d%0aX-Injected:1');
const written = fc.oneof({ weight: 6, arbitrary: anyText.map(encodeURIComponent) }, { weight: 1, arbitrary: rawText });

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

/** Any operation with anything in every parameter. */
export function fuzzSuite(running: () => RunningService, seed: number): void {
  const send = (path: string, body?: string) =>
    running().client.fetch(path, { key: running().key, ...(body !== undefined && { body }) });

  /** An answer of the contract, or the one error body; never a 5xx. */
  async function expectProper(operation: Operation, response: Response): Promise<void> {
    const text = await response.text();
    expect(response.status).toBeLessThan(500);
    if (response.status === 200) {
      expect(response.headers.get('content-type')).toContain(operation.responseType);
      const answer: unknown = operation.responseType === 'application/json' ? JSON.parse(text) : text;
      expect(operation.response.safeParse(answer).error).toBeUndefined();
      return;
    }
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const problem = Problem.strict().parse(JSON.parse(text));
    expect(problem.status).toBe(response.status);
    expect(problem.details.length > 0).toBe(response.status === 400);
    // Nothing of what a client wrote may end a line or a header, or tell of the inside.
    expect(response.headers.get('x-injected')).toBeNull();
    expect(text).not.toMatch(/node_modules|dist\/|ECONN|SELECT |127\.0\.0\.1/);
  }

  describe(`anything a client may send, seed ${seed}`, () => {
    it.each(operations.map((operation) => [operation.id, operation] as const))(
      '%s answers or refuses with the one error body, never with a failure of ours',
      async (_id, operation) => {
        const names = Object.keys(operation.request);
        const name = names.length > 0 ? fc.constantFrom(...names, 'unknownName', '_buster', '__proto__') : anyText;
        const words = fc.array(
          written.filter((word) => word !== ''),
          { maxLength: 3 },
        );
        const query = fc.array(fc.tuple(name, written), { maxLength: 6 });
        const value = fc.oneof(
          anyText,
          fc.jsonValue({ maxDepth: 3 }),
          fc.double(),
          fc.array(anyText, { maxLength: 5 }),
        );
        const fields = fc
          .array(fc.tuple(name, value), { maxLength: 6 })
          .map((entries) => JSON.stringify(nest(entries)));
        const anyBody = fc.oneof(fields, fc.json(), fc.string(), fc.constant(`${'['.repeat(5_000)}`));
        const request = fc.tuple(fc.option(words), query, anyBody);
        await fc.assert(
          fc.asyncProperty(request, async ([path, parameters, body]) => {
            const asked = parameters.map(([one, text]) => `${encodeURIComponent(one)}=${text}`).join('&');
            const isPost = operation.method === 'POST';
            const target = `${pathOf(operation, path ?? [])}?${isPost ? '' : asked}`;
            const response = await send(target, isPost ? body : undefined);
            // Other words in the path may be another operation's.
            const isOther = path !== null && response.status === 200;
            if (!isOther) await expectProper(operation, response);
          }),
          { seed, numRuns: runsPerOperation, endOnFailure: true },
        );
      },
      60_000,
    );

    it.each(operations.filter(({ request }) => Object.keys(request).length > 1).map((one) => [one.id, one] as const))(
      '%s lists all violations of a request at once',
      async (_id, operation) => {
        const entries = Object.entries(operation.request);
        await fc.assert(
          fc.asyncProperty(fc.subarray(entries, { minLength: 1 }), async (chosen) => {
            const required = entries.filter(([, parameter]) => 'required' in parameter && parameter.required === true);
            const bad = [...new Map([...chosen, ...required])];
            const nameOf = ([name, { kind }]: readonly [string, Parameter]) =>
              kind === 'amount' ? `${name}.value` : name;
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
      60_000,
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
        // Neither as it is nor escaped.
        JSON.parse(text, (_name, value: unknown) => {
          if (typeof value === 'string') expect(value).not.toMatch(notHarmless);
          return value;
        });
      }
      const { details } = (await (await send(`/v1/jettons/${hostile}`)).json()) as {
        details: { metadata: { name: string; symbol: string; links: { url: string; type: string }[] } };
      };
      const { name, symbol, links } = details.metadata;
      expect(Array.from(name).length).toBe(256);
      expect(Array.from(symbol).length).toBeLessThanOrEqual(64);
      expect(links).toMatchObject([{ url: 'https://example.com/', type: 'LINK_TYPE_UNSPECIFIED' }]);
      const preview = await send(`/v1/jettons/${hostile}/chart-previews/price-day-dark.svg`);
      expect(await preview.text()).not.toMatch(/<img|onerror|<script/);
    });
  });
}
