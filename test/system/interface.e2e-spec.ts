import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Currency } from '@jetton-analytics/common';
import { pollUntil } from '@jetton-analytics/testing';
import { timestampOf } from './src/oracle/windows.js';
import { compareAnswers, type Expectation } from './src/support/compare-answers.js';
import { differences } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { Expectations } from './src/support/expectations.js';
import { filterNames, sortFields } from './src/support/list-cases.js';
import { ProducedMarket } from './src/support/produced-market.js';
import { chooseSeed } from './src/support/seed.js';
import { previewDifferences, servedPreview } from './src/support/served-preview.js';
import type { ServiceClient } from './src/support/service-client.js';

const seed = chooseSeed();
const market = new ProducedMarket(seed, 1_200);
const half = Math.floor(market.records.trades.length / 2);

interface Listed {
  readonly jettons?: readonly { readonly metadata: { readonly address: string } }[];
  readonly items?: readonly { readonly address: string }[];
}
const addressOf = ({ address }: { readonly address: string }): string => address;

const many = (count: number) => Array.from({ length: count }, (_, n) => `0:${String(n).padStart(64, '0')}`).join(',');
const limits = [
  ['a limit of 1', 'of 0', 'limit=1', 'limit=0', 'limit'],
  ['a limit of 100', 'of 101', 'limit=100', 'limit=101', 'limit'],
  ['a search of 3 characters', 'of 2', 'search=%20abc%20', 'search=%20ab%20', 'search'],
  ['a search of 255 characters', 'of 256', `search=${'a'.repeat(255)}`, `search=${'a'.repeat(256)}`, 'search'],
  ['100 addresses', '101', `address=${many(100)}`, `address=${many(101)}`, 'address'],
  ['10 administrators', '11', `admin=${many(10)}`, `admin=${many(11)}`, 'admin'],
  [
    '5 verdicts',
    '6',
    `verification=${Array(5).fill('JVS_SCAM').join(',')}`,
    `verification=${Array(6).fill('JVS_SCAM').join(',')}`,
    'verification',
  ],
  [
    'an amount of 255 decimals',
    'of 256',
    'fdmc.min.value=1&fdmc.min.decimals=255',
    'fdmc.min.value=1&fdmc.min.decimals=256',
    'fdmc.min.decimals',
  ],
] as const;

describe(`all operations over all four topics, hostile market of seed ${seed}`, () => {
  let deployment: Deployment;
  let client: ServiceClient;
  let expected: Expectations;

  const caughtUp = async () => {
    const counts = await Promise.all(Object.values(deployment.topics).map((topic) => topic.recordCount()));
    await client.caughtUp(counts[0] ?? 0n, { clock: 'event', calculatedAt: timestampOf(market.t) });
    await pollUntil(
      async () => {
        const read = await Promise.all(Object.values(deployment.topics).map(({ name }) => client.consumed(name)));
        return read.every((count, index) => count >= (counts[index] ?? 0n));
      },
      { what: 'all four topics consumed', timeoutMs: 180_000, intervalMs: 250 },
    );
  };
  /** What is served otherwise than expected. */
  const otherwise = (expectations: readonly Expectation[]): Promise<string[]> =>
    expectations.length === 0 ? Promise.resolve(['nothing was asked']) : compareAnswers(client, expectations);

  beforeAll(async () => {
    process.stderr.write(`hostile market of seed ${seed}; SEED=${seed} repeats it\n`);
    deployment = await Deployment.prepare('interface');
    const [statistics, metrics] = await Promise.all([
      deployment.startQueryApp('statistics'),
      deployment.startQueryApp('metrics'),
      deployment.startAggregator('event'),
    ]);
    client = await deployment.startGateway(statistics, metrics);
    const { key } = await deployment.admin<{ key: string }>(
      'keys',
      'create',
      '--owner',
      'system test',
      '--plan',
      'pro',
    );
    expected = new Expectations(market.whole, key);
    await deployment.explained(async () => {
      await market.produce(deployment, (records) => records.slice(0, half));
      await market.curate(deployment);
      await market.produce(deployment, (records) => records.slice(half));
      await caughtUp();
      // The apps follow the stores of the other three topics within a second.
      await pollUntil(async () => (await compareAnswers(client, expected.details())).length === 0, {
        what: 'the details of every jetton',
        timeoutMs: 60_000,
        intervalMs: 1_000,
      }).catch(() => undefined);
    });
  }, 600_000);
  afterAll(() => deployment?.stop(), 180_000);

  it('operations 2 and 6 agree with the recomputation for every jetton, and are 404 for all others', async () => {
    expect(await otherwise(expected.details())).toEqual([]);
  }, 600_000);

  it('metrics, price, liquidity, holders and trust score of every jetton agree with the recomputation', async () => {
    expect(await otherwise(expected.points())).toEqual([]);
  }, 600_000);

  it('operation 7 and the markets of every jetton agree with the recomputation', async () => {
    expect(await otherwise(expected.markets())).toEqual([]);
  }, 600_000);

  it(
    'the trades of every jetton come newest first, each once over all pages',
    () =>
      deployment.explained(async () => {
        for (const jetton of market.whole.jettons) {
          const trades: unknown[] = [];
          let cursor = '';
          do {
            const { status, body } = await client.get(`/v1/jettons/${jetton}/transactions?limit=60&cursor=${cursor}`);
            const page = body as { transactions: unknown[]; next?: string };
            expect(status).toBe(200);
            trades.push(...page.transactions);
            cursor = page.next ?? '';
          } while (cursor !== '');
          expect(differences(trades, expected.transactionsOf(jetton))).toEqual([]);
        }
      }),
    300_000,
  );

  it('the trades of a jetton under every filter agree with the recomputation', async () => {
    for (const { name, path, expected: wanted } of expected.filteredTransactions()) {
      const { status, body } = await client.get(path);
      const { transactions, next } = body as { transactions: unknown[]; next?: string };
      expect([name, status]).toEqual([name, 200]);
      expect([name, differences({ transactions, next: next !== undefined }, wanted)]).toEqual([name, []]);
    }
  });

  it('chart previews show the recomputed prices, each where its color and its names say', async () => {
    const previews = expected.previews();
    expect(previews.filter(({ expected: { points } }) => points.length > 1).length).toBeGreaterThan(5);
    for (const { path, expected: preview } of previews) {
      const response = await client.fetch(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'image/svg+xml; charset=utf-8',
      ]);
      const found = previewDifferences(servedPreview(await response.text()), preview);
      expect([path, found]).toEqual([path, []]);
    }
  }, 600_000);

  it('price charts at every resolution agree with the recomputation', async () => {
    expect(await otherwise(expected.charts())).toEqual([]);
  }, 600_000);

  it('operations 8 and 9, traders/change and price/change agree with the recomputation', async () => {
    expect(await otherwise(expected.changes())).toEqual([]);
  }, 600_000);

  it.each(Currency.options)('operations 3 and 10 agree with the recomputation in %s', async (currency) => {
    expect(await otherwise([...expected.metricsIn(currency), ...expected.volumesIn(currency)])).toEqual([]);
  });

  it.each(sortFields)('operations 1, 3, 4 and 5 sort by %s in both orders as the recomputation does', async (field) => {
    expect(await otherwise([...expected.ordered(field, 'asc'), ...expected.ordered(field, 'desc')])).toEqual([]);
  });

  it.each(filterNames)('operations 1, 3, 4 and 5 filter by %s as the recomputation does', async (name) => {
    expect(await otherwise(expected.filtered(name))).toEqual([]);
  });

  it('operations 1, 3, 4 and 5 give 20 by createdAt ascending, operation 3 in ton, where nothing is asked', async () => {
    expect(market.whole.jettons.length).toBeGreaterThan(20);
    for (const { path, key, addresses, metrics } of expected.byDefault()) {
      for (const options of [{}, { body: {} }]) {
        const { body } = await client.get(path, { ...options, ...(key !== undefined && { key }) });
        const { jettons = [], items = [] } = body as Listed;
        const served = path === '/v1/jettons' ? jettons.map(({ metadata }) => metadata.address) : items.map(addressOf);
        expect([path, served]).toEqual([path, addresses]);
        expect(differences(items.slice(0, metrics.length), metrics)).toEqual([]);
      }
    }
  });

  it('operation 10 is in ton where no currency is asked, and takes currencies in upper case', async () => {
    const address = market.whole.jettons.slice(0, 5);
    const read = async (currency: object) =>
      (await client.get('/v1/jettons/trading-volume/change', { body: { address, ...currency } })).body;
    expect(await read({})).toEqual(await read({ currency: 'ton' }));
    expect(await read({ currency: 'EUR' })).toEqual(await read({ currency: 'eur' }));
    expect(await read({ currency: 'eur' })).not.toEqual(await read({ currency: 'ton' }));
  });

  it.each(limits)('operations 1, 3, 4 and 5 take %s and refuse %s', async (_most, _more, query, tooMuch, field) => {
    for (const { path, key } of expected.byDefault()) {
      const options = key === undefined ? {} : { key };
      expect([path, (await client.get(`${path}?${query}`, options)).status]).toEqual([path, 200]);
      const { status, body } = await client.get(`${path}?${tooMuch}`, options);
      expect([path, status]).toEqual([path, 400]);
      expect((body as { details: { field: string }[] }).details.map((one) => one.field)).toEqual([field]);
    }
  });

  it('answers the same when every message of all four topics comes a second time, in another order', async () => {
    await market.produce(deployment, (records) => records.toReversed());
    await deployment.explained(async () => {
      await caughtUp();
      const again = [...expected.details(), ...expected.markets(), ...expected.changes(), ...expected.volumesIn('jpy')];
      expect(await otherwise(again)).toEqual([]);
    });
  }, 600_000);
});
