import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Problem } from '@jetton-analytics/common';
import { toUserFriendly } from '@jetton-analytics/feed';
import { steps } from '@jetton-analytics/figures';
import { pollUntil } from '@jetton-analytics/testing';
import { type CuttableRelay, cuttableRelay } from '../../../packages/read-model/test/cuttable-relay.js';
import { SeededMarket } from './seeded-market.js';
import { type RunningStatistics, startStatistics } from './start-statistics.js';

const jetton = `0:${'a1'.repeat(32)}`;
const t = 1_760_000_000;

let market: SeededMarket;
let relay: CuttableRelay;
let app: RunningStatistics;
let url: string;

const readiness = async () => (await fetch(`${url}/readyz`)).text();

beforeAll(async () => {
  market = await SeededMarket.create();
  relay = await cuttableRelay(market.settings['CLICKHOUSE_URL'] ?? '');
  for (const step of steps) {
    await market.seeder.snapshot({ term: 1, step, calculatedAt: t, sequence: 1, jettons: { [jetton]: 5 } });
  }
  app = await startStatistics({ ...market.settings, CLICKHOUSE_URL: relay.url });
  ({ url } = app);
}, 480_000);
afterAll(async () => {
  await app?.app.close();
  relay?.close();
  await market?.close();
});

describe('addresses in a path', () => {
  it('may be raw in any case, percent-encoded, and user-friendly in every form', async () => {
    const urlSafe = [true, false].map((bounceable) => toUserFriendly(jetton, { bounceable }));
    const standard = urlSafe.map((text) => text.replaceAll('-', '+').replaceAll('_', '%2F'));
    const spaced = standard.map((text) => text.replaceAll('+', '%20'));
    for (const form of [jetton.toUpperCase(), encodeURIComponent(jetton), ...urlSafe, ...standard, ...spaced]) {
      expect([form, (await fetch(`${url}/v1/jettons/${form}/stats`)).status]).toEqual([form, 200]);
    }
  });

  it('may not be of the test net', async () => {
    const testOnly = toUserFriendly(jetton, { bounceable: true, testOnly: true });
    const body = Problem.parse(await (await fetch(`${url}/v1/jettons/${testOnly}/stats`)).json());
    expect(body.details).toMatchObject([{ field: 'address', reason: 'WRONG_NETWORK' }]);
  });
});

describe('while the store is away', () => {
  it('reads go on, readiness says so, and the store is followed again when it is back', async () => {
    relay.cut();
    await pollUntil(async () => (await readiness()).includes('the store is away'), { what: 'the outage' });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/v1/jettons/${jetton}/stats`)).status).toBe(200);
    await market.seeder.snapshot({
      term: 1,
      step: 'short',
      calculatedAt: t + 2,
      sequence: 2,
      slot: 1,
      jettons: { [jetton]: 7 },
    });
    relay.mend();
    await pollUntil(
      async () => (await (await fetch(`${url}/v1/jettons/${jetton}/stats`)).text()).includes('"current":"7"'),
      {
        what: 'the newer figures',
        timeoutMs: 15_000,
      },
    );
    // The sources are looked at one by one, and each less often the longer it was away.
    await pollUntil(async () => (await readiness()).includes('following'), { what: 'every source', timeoutMs: 15_000 });
  }, 300_000);
});
