import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Recomputation } from './src/oracle/recompute.js';
import { sameInstant, timestampOf } from './src/oracle/windows.js';
import { adversarialMarket } from './src/support/adversarial-market.js';
import type { AppProcess } from './src/support/app-process.js';
import { compareAll } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { chooseSeed } from './src/support/seed.js';
import type { ServiceClient } from './src/support/service-client.js';
import { positionsOf } from './src/support/topic.js';

const seed = chooseSeed();
const market = adversarialMarket(seed, 1_800);
const recomputation = new Recomputation(market.records);

interface Letter {
  readonly position: string | undefined;
}
const byPosition = (a: Letter, b: Letter) => String(a.position).localeCompare(String(b.position));

describe(`from the produced message to the answer over HTTP, hostile market of seed ${seed}`, () => {
  let deployment: Deployment;
  let aggregator: AppProcess;
  let client: ServiceClient;

  beforeAll(async () => {
    process.stderr.write(`hostile market of seed ${seed}; SEED=${seed} repeats it\n`);
    deployment = await Deployment.prepare('market');
    [aggregator, client] = await Promise.all([
      deployment.startAggregator('event'),
      deployment.startStatistics().then((statistics) => deployment.startGateway({ url: statistics.baseUrl })),
    ]);
  }, 600_000);
  afterAll(() => deployment?.stop(), 180_000);

  const compareAt = async (clock: string, instant: number) => {
    const records = await deployment.topic.recordCount();
    await client.caughtUp(records, { clock, calculatedAt: timestampOf(instant) });
    return compareAll(client, recomputation, sameInstant(instant));
  };

  it('serves every jetton and market to the digit as the naive recomputation has them', async () => {
    await deployment.explained(async () => {
      await deployment.topic.produce(market.records);
      const { compared, unknown, differences } = await compareAt('event', market.t);
      expect(differences).toEqual([]);
      expect([compared > 60, unknown > 5]).toEqual([true, true]);
    });
  }, 600_000);

  it('keeps every bad message with its bytes, key, headers and reason among the dead letters, once', async () => {
    await deployment.explained(async () => {
      const positions = positionsOf(market.records);
      const expected = recomputation.bad.map(({ record, reason }) => ({
        position: positions.get(record),
        key: record.key?.toString() ?? null,
        value: record.value?.toString('base64'),
        headers: { ...record.headers, 'dlq-reason': reason, 'dlq-topic': deployment.topic.name },
      }));
      const letters = await deployment.topic.deadLetters(`${deployment.name}_letters`, expected.length);
      const received = letters.map(({ key, value, headers }) => {
        const { origin, 'dlq-reason': reason, 'dlq-topic': topic, 'dlq-partition': partition } = headers;
        return {
          position: `${partition}/${headers['dlq-offset']}`,
          key,
          value: value?.toString('base64'),
          headers: { ...(origin !== undefined && { origin }), 'dlq-reason': reason, 'dlq-topic': topic },
        };
      });
      expect(received.sort(byPosition)).toEqual(expected.sort(byPosition));
    });
  }, 600_000);

  it('changes nothing when every message comes a second time', async () => {
    await deployment.explained(async () => {
      await deployment.topic.produce(market.records.toReversed());
      expect(await compareAt('event', market.t)).toMatchObject({ differences: [] });
    });
  }, 600_000);

  it.each([
    ['a day and a second earlier', market.t - 86_401],
    ['before any trade', market.t - 200 * 86_400],
    ['forty days later, when all but the prices has decayed', market.t + 40 * 86_400],
  ])(
    'starts anew under another clock, fixed %s',
    async (_where, instant) => {
      await deployment.explained(async () => {
        await aggregator.stop();
        const clock = `fixed:${timestampOf(instant)}`;
        aggregator = await deployment.startAggregator(clock);
        expect(await compareAt(clock, instant)).toMatchObject({ differences: [] });
      });
    },
    600_000,
  );
});
