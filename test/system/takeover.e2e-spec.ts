import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@jetton-analytics/testing';
import { Recomputation } from './src/oracle/recompute.js';
import { sameInstant, timestampOf } from './src/oracle/windows.js';
import { adversarialMarket } from './src/support/adversarial-market.js';
import { compareAll } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { chooseSeed } from './src/support/seed.js';

const seed = chooseSeed();
const market = adversarialMarket(seed, 2_000);
const half = Math.floor(market.records.length / 2);

describe(`two aggregators of one group, hostile market of seed ${seed}`, () => {
  let deployment: Deployment;

  beforeAll(async () => {
    process.stderr.write(`hostile market of seed ${seed}; SEED=${seed} repeats it\n`);
    deployment = await Deployment.prepare('takeover');
  }, 600_000);
  afterAll(() => deployment?.stop(), 180_000);

  it('end with the exact numbers though one is killed in the middle and started again', async () => {
    await deployment.explained(async () => {
      const [first, client] = await Promise.all([
        deployment.startAggregator('event'),
        deployment.startStatistics(),
        deployment.startAggregator('event'),
      ]);
      await deployment.topic.produce(market.records.slice(0, half));
      await pollUntil(async () => (await client.consumed(deployment.topic.name)) > 0n, {
        what: 'the first records consumed',
        timeoutMs: 60_000,
      });
      const producing = deployment.topic.produce(market.records.slice(half));
      await first.kill();
      await producing;
      await deployment.startAggregator('event');

      const count = await deployment.topic.recordCount();
      await client.caughtUp(count, { clock: 'event', calculatedAt: timestampOf(market.t) }, 180_000);
      const recomputation = new Recomputation(market.records);
      const { compared, differences } = await compareAll(client, recomputation, sameInstant(market.t));
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(60);
    });
  }, 600_000);
});
