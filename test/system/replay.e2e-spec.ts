import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedData } from '@jetton-analytics/testing';
import { Recomputation } from './src/oracle/recompute.js';
import { sameInstant, timestampOf } from './src/oracle/windows.js';
import type { AppProcess } from './src/support/app-process.js';
import { compareAll } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { sampleRecords } from './src/support/sample-file.js';
import type { ServiceClient } from './src/support/service-client.js';

/** More than the two files of real trades have; of the long one a part is enough for the time a run may take. */
const repeatedMax = 5_000;

const files = [
  {
    name: 'dex_trades.ethereum-0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8-2024-01-05.ndjson.gz',
    instants: ['2024-01-05T12:00:00Z'],
  },
  {
    name: 'dex_trades.polygon-0x45dda9cb7c25131df268515131f647d726f50608-2022-01-05.ndjson.gz',
    instants: ['2022-01-05T17:43:29Z'],
  },
  {
    name: 'dex_trades.polygon_minute_flow_2022-07-19_2022-08-22.ndjson.gz',
    instants: ['2022-08-01T00:00:01Z'],
  },
];

for (const { name, instants } of files) {
  const file = sharedData(`trades/${name}`);
  const describeReplay = file === undefined ? describe.skip : describe;
  describeReplay(`a replay of ${name}`, () => {
    const records = file === undefined ? [] : sampleRecords(file);
    const recomputation = new Recomputation(records);
    let deployment: Deployment;
    let aggregator: AppProcess;
    let client: ServiceClient;

    beforeAll(async () => {
      deployment = await Deployment.prepare('replay');
      [aggregator, client] = await Promise.all([deployment.startAggregator('event'), deployment.startStatistics()]);
    }, 600_000);
    afterAll(() => deployment?.stop(), 180_000);

    const compareAt = async (clock: string, instant: number) => {
      const count = await deployment.topic.recordCount();
      await client.caughtUp(count, { clock, calculatedAt: timestampOf(instant) });
      return compareAll(client, recomputation, sameInstant(instant));
    };

    it('gives exactly the numbers of the naive recomputation', async () => {
      await deployment.explained(async () => {
        await deployment.topic.produce(records);
        const { compared, differences } = await compareAt('event', recomputation.eventClock);
        expect(differences).toEqual([]);
        expect(compared).toBeGreaterThan(1);
      });
    }, 600_000);

    it('changes nothing when it is replayed a second time', async () => {
      await deployment.explained(async () => {
        await deployment.topic.produce(records.slice(0, repeatedMax));
        expect(await compareAt('event', recomputation.eventClock)).toMatchObject({ differences: [] });
      });
    }, 600_000);

    it.each(instants)(
      'gives the numbers of %s under a clock fixed there',
      async (instant) => {
        await deployment.explained(async () => {
          await aggregator.stop();
          aggregator = await deployment.startAggregator(`fixed:${instant}`);
          const seconds = Date.parse(instant) / 1000;
          expect(await compareAt(`fixed:${instant}`, seconds)).toMatchObject({ differences: [] });
        });
      },
      600_000,
    );
  });
}
