import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@jetton-analytics/testing';
import { Recomputation } from './src/oracle/recompute.js';
import { adversarialMarket } from './src/support/adversarial-market.js';
import { compareAll } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { chooseSeed } from './src/support/seed.js';
import type { ServiceClient } from './src/support/service-client.js';

const seed = chooseSeed();
const looks = 6;

describe(`by the wall clock, hostile market of seed ${seed}`, () => {
  let deployment: Deployment;
  let client: ServiceClient;

  beforeAll(async () => {
    process.stderr.write(`hostile market of seed ${seed}; SEED=${seed} repeats it\n`);
    deployment = await Deployment.prepare('wall');
    await deployment.startAggregator('wall', {
      FEED_DELAY_SECONDS: '0',
      STEP_MID_SECONDS: '5',
      STEP_LONG_SECONDS: '5',
    });
    client = await deployment.startStatistics();
  }, 600_000);
  afterAll(() => deployment?.stop(), 180_000);

  const nextCalculation = (last: string | undefined) =>
    pollUntil(
      async () => {
        const calculatedAt = (await client.status()).windows['hour']?.calculatedAt;
        return calculatedAt !== last && calculatedAt;
      },
      { what: `a calculation later than ${last}`, timeoutMs: 180_000, intervalMs: 250 },
    );

  it('every answer is exact at its own instants while trades pass the edges of the windows', async () => {
    await deployment.explained(async () => {
      // Trades lie up to 40 s to either side of every window's edge, so that some pass it between two looks.
      const nowMs = Date.now();
      const time = { t: Math.floor(nowMs / 1000) + 20, edgeSeconds: 40, recordMsMax: nowMs };
      const market = adversarialMarket(seed, 1_500, time);
      const recomputation = new Recomputation(market.records);
      await deployment.topic.produce(market.records);
      await client.caughtUp(await deployment.topic.recordCount(), { clock: 'wall' });
      let last: string | undefined;
      for (let look = 0; look < looks; look += 1) {
        last = await nextCalculation(last);
        const { compared, differences } = await compareAll(client, recomputation, 'served');
        expect(differences).toEqual([]);
        expect(compared).toBeGreaterThan(60);
      }
    });
  }, 600_000);
});
