import { describe, expect, it } from '@jest/globals';
import { OperatorChange } from '@jetton-analytics/postgres';
import { pollUntil, uniqueName } from '@jetton-analytics/testing';
import { startConsumer } from '../../../packages/kafka/test/support/consumer-app.js';
import { kafkaAndDatabase } from './kafka-and-database.js';
import { admin, adminHere, report } from './run-command.js';

const stores = kafkaAndDatabase();

const firstMs = Date.UTC(2026, 0, 2, 10, 0, 0);

/** A topic of two partitions with a record a minute in each, all consumed by a group that has ended. */
async function consumedTopic() {
  const topic = await stores.bench.newTopic(uniqueName('reset'), { partitions: 2 });
  for (const partition of [0, 1]) {
    await stores.bench.producer.send(
      topic,
      Array.from({ length: 10 }, (_, n) => ({ value: `${n}`, partition, timestampMs: firstMs + n * 60_000 })),
    );
  }
  const group = uniqueName('group');
  let seen = 0;
  const app = await startConsumer(stores.bench.kafka, topic, group, ({ messages }) => void (seen += messages.length));
  await pollUntil(() => seen === 20, { what: 'the records' });
  const committed = async () => [
    await stores.bench.committed(group, topic, 0),
    await stores.bench.committed(group, topic, 1),
  ];
  await pollUntil(async () => (await committed()).every((offset) => offset === '10'), { what: 'the commit' });
  const env = {
    ...stores.database.env,
    KAFKA_BROKERS: stores.brokers,
    SOURCE_KAFKA_GROUP_ID: group,
    DEX_TRADES_TOPIC: topic,
  };
  return { topic, group, env, committed, app };
}

describe('offsets show and reset', () => {
  it('refuse while the group is live, and move it once it is not', async () => {
    const { topic, group, env, committed, app } = await consumedTopic();
    const live = await adminHere(['offsets', 'reset', '--to', 'earliest', '--wait', '0'], env);
    expect([live.code, live.err]).toEqual([3, expect.stringContaining(`the group ${group} is live`)]);
    expect(await committed()).toEqual(['10', '10']);
    await app.close();

    const dry = await report(['offsets', 'reset', '--to', 'earliest', '--dry-run'], env);
    expect([dry, await committed()]).toMatchObject([{ moved: [{ to: '0' }, { to: '0' }] }, ['10', '10']]);
    const done = await admin(['offsets', 'reset', '--to', 'earliest', '--by', group, '--json'], env);
    expect([done.code, done.json()]).toMatchObject([0, { moved: [{ from: '10', to: '0' }, {}], by: group }]);
    expect(await committed()).toEqual(['0', '0']);
    expect(await report(['offsets', 'reset', '--to', 'earliest'], env)).toMatchObject({ moved: [], unchanged: 2 });
    expect(await stores.database.database.manager.findBy(OperatorChange, { setBy: group })).toMatchObject([
      { command: 'offsets reset', outcome: 'done', details: { to: 'earliest', topics: [topic] } },
    ]);
    const { topics } = (await report(['offsets', 'show'], env)) as { topics: object[] };
    expect(topics).toEqual([
      {
        topic,
        groupId: group,
        partitions: [0, 1].map((partition) => ({ partition, low: '0', high: '10', committed: '0', lag: '10' })),
      },
    ]);
  }, 300_000);

  it('to an instant go to the first record from then on, behind all of them to the end', async () => {
    const { topic, env, committed, app } = await consumedTopic();
    await app.close();
    await report(['offsets', 'reset', '--to', '2026-01-02T10:03:30Z'], env);
    expect(await committed()).toEqual(['4', '4']);
    await report(['offsets', 'reset', '--to', '2026-01-03T00:00:00Z', '--topic', topic], env);
    expect(await committed()).toEqual(['10', '10']);
    const wrong = await adminHere(['offsets', 'reset', '--to', 'yesterday'], env);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--to: expected earliest or an instant')]);
    expect((await adminHere(['offsets', 'reset', '--to', 'earliest', '--topic', 'none'], env)).code).toBe(3);
  }, 300_000);
});
