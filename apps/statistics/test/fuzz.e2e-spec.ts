import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations, Problem } from '@jetton-analytics/common';
import * as fc from 'fast-check';
import { all, startOverChanges } from './changed-jettons.js';
import type { SeededMarket } from './seeded-market.js';
import type { RunningStatistics } from './start-statistics.js';

let market: SeededMarket;
let app: RunningStatistics;

beforeAll(async () => {
  ({ market, app } = await startOverChanges());
}, 480_000);
afterAll(async () => {
  await app?.app.close();
  await market?.close();
});

const own = operations.filter((operation) => operation.app === 'statistics');
const leaves = Object.keys(Object.assign({}, ...own.map(({ request }) => request)) as Record<string, unknown>).flatMap(
  (name) => [name, `${name}.value`, `${name}.decimals`],
);

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', '-0', '1e400', 'NaN', '%', '%00', '%ff', '\u0000', '\uD800', '[]', '{}', 'null', 'true', ...all),
  fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }).map(String),
  fc.double().map(String),
);
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...leaves) }, { weight: 1, arbitrary: word });
/** As it stands in a URL: now well encoded, now as it is, without what no URL can carry. */
const part = fc
  .tuple(word, fc.boolean())
  .map(([text, encoded]) =>
    encoded ? encodeURIComponent(text.toWellFormed()) : text.replaceAll(/[^\u0021-\u007E]|[#"<>]/g, ''),
  );
const query = fc
  .array(
    fc.tuple(
      name.map((text) => encodeURIComponent(text.toWellFormed())),
      part,
    ),
    { maxLength: 6 },
  )
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
const body = fc.oneof(
  word,
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(name, fc.oneof(word, fc.jsonValue(), fc.array(word)), { maxKeys: 6 })
    .map((value) => JSON.stringify(value)),
);
const segment = fc
  .oneof(word, fc.constantFrom(...all))
  .map((text) => encodeURIComponent(text.toWellFormed()))
  // a segment of dots is resolved away before it is sent
  .map((text) => (/^\.{0,2}$/.test(text) ? 'x' : text));

/** The status of an answer that is JSON, of an error that is the one body; 0 for any other. */
async function statusOf(response: Response): Promise<number> {
  const parsed: unknown = JSON.parse(await response.text());
  return response.status === 200 || Problem.safeParse(parsed).success ? response.status : 0;
}

describe('whatever is sent', () => {
  const gets = own.filter(({ method }) => method === 'GET');
  const posts = own.filter(({ method }) => method === 'POST');

  it('as path and query is answered, or refused with the one body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...gets), segment, segment, query, async ({ path }, address, pool, asked) => {
        const target = path.replace('{address}', () => address).replace('{poolAddress}', () => pool);
        expect([200, 400, 404]).toContain(await statusOf(await app.get(`${target}?${asked}`)));
      }),
      { numRuns: 400 },
    );
  }, 300_000);

  it('as body is answered, or refused with the one body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), body, async ({ path }, text) => {
        expect([200, 400]).toContain(await statusOf(await app.post(path, text)));
      }),
      { numRuns: 400 },
    );
  }, 300_000);
});
