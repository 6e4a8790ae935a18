// SEED=… repeats a market. POSTGRES_OUTAGE_SECONDS=60 keeps PostgreSQL away for a minute instead of 12 s.
import { afterAll, beforeAll, describe } from '@jest/globals';
import { pollUntil } from '@jetton-analytics/testing';
import { credentialSuite } from './src/suites/credentials.js';
import { errorSuite } from './src/suites/errors.js';
import { fuzzSuite } from './src/suites/fuzz.js';
import { newKey, type RunningService } from './src/suites/running-service.js';
import { walkSuite } from './src/suites/walks.js';
import { Deployment } from './src/support/deployment.js';
import { MovingMarket, walkers } from './src/support/moving-market.js';
import { chooseSeed } from './src/support/seed.js';

const seed = chooseSeed();

const knowsAll = async ({ url }: { url: string }) => {
  const response = await fetch(`${url}/v1/jettons?search=walker&limit=100&holders.min=1`);
  return ((await response.json()) as { jettons?: unknown[] }).jettons?.length === walkers.length;
};
const isReady = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status === 200;

describe(`two replicas of each query app behind the gateway, moving market of seed ${seed}`, () => {
  let deployment: Deployment;
  let market: MovingMarket;
  let service: RunningService;

  beforeAll(async () => {
    process.stderr.write(`moving market of seed ${seed}; SEED=${seed} repeats it\n`);
    deployment = await Deployment.prepare('moving');
    market = new MovingMarket(seed, deployment.topics);
    const seconds = { STEP_SHORT_SECONDS: '2', STEP_MID_SECONDS: '5', STEP_LONG_SECONDS: '10' };
    const pair = (app: 'statistics' | 'metrics') =>
      Promise.all([deployment.startQueryApp(app), deployment.startQueryApp(app)]);
    const [statistics, metrics] = await Promise.all([
      pair('statistics'),
      pair('metrics'),
      deployment.startAggregator('wall', { FEED_DELAY_SECONDS: '0', ...seconds }),
      market.start(),
    ]);
    const balancers = { statistics: await deployment.balance(statistics), metrics: await deployment.balance(metrics) };
    const client = await deployment.startGateway(balancers.statistics, balancers.metrics);
    const { key } = await newKey(deployment, 'pro');
    service = { deployment, client, key, balancers, replicas: { statistics, metrics } };
    await deployment.explained(async () => {
      await pollUntil(
        async () => {
          const checks = await Promise.all([...metrics.map(knowsAll), ...[...metrics, ...statistics].map(isReady)]);
          return checks.every(Boolean);
        },
        { what: 'every replica to know every jetton', timeoutMs: 400_000, intervalMs: 500 },
      );
    });
  }, 600_000);
  afterAll(async () => {
    await market?.stop();
    await deployment?.stop();
  }, 600_000);

  walkSuite(() => service);
  credentialSuite(() => service);
  fuzzSuite(() => service, seed);
  errorSuite(() => service);
});
