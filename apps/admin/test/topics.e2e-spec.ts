import { describe, expect, it } from '@jest/globals';
import { deadLetterTopicOf } from '@jetton-analytics/common';
import { OperatorChange } from '@jetton-analytics/postgres';
import { uniqueName } from '@jetton-analytics/testing';
import { kafkaAndDatabase } from './kafka-and-database.js';
import { admin, adminHere, report } from './run-command.js';

interface Planned {
  readonly topic: string;
  readonly state: string;
}

const stores = kafkaAndDatabase();

async function newNames() {
  const name = uniqueName('planned');
  const topics = [`${name}.trades`, `${name}.pools`, `${name}.metadata`, `${name}.balances`];
  for (const topic of topics) await stores.bench.newTopic(topic, { partitions: 2 });
  const [trades = '', pools = '', metadata = '', balances = ''] = topics;
  const env = {
    ...stores.database.env,
    KAFKA_BROKERS: stores.brokers,
    DEX_TRADES_TOPIC: trades,
    DEX_POOLS_TOPIC: pools,
    JETTON_METADATA_TOPIC: metadata,
    BALANCES_TOPIC: balances,
    WATERMARK_TOPIC: `${name}.watermarks`,
    ROLLUP_TOPICS: 'on',
    ROLLUP_TOPIC_PREFIX: `${name}.`,
  };
  const plan = async () => {
    const ended = await adminHere(['topics', 'plan', '--json'], env);
    return { code: ended.code, topics: (ended.json() as { topics: Planned[] }).topics };
  };
  return { name, trades, env, plan };
}
const changes = (by: string) => stores.database.database.manager.findBy(OperatorChange, { setBy: by });

describe('topics', () => {
  it('plan tells what is missing, apply makes it, and then there is nothing to do', async () => {
    const { name, trades, env, plan } = await newNames();
    const before = await plan();
    expect(before.code).toBe(5);
    expect(before.topics.map(({ state }) => state)).toEqual([...Array(11).fill('missing'), ...Array(4).fill('ok')]);
    const dry = await report(['topics', 'apply', '--dry-run'], env);
    expect(dry).toMatchObject({ created: expect.arrayContaining([deadLetterTopicOf(trades)]), dryRun: true });
    expect((await plan()).code).toBe(5);

    const applied = await admin(['topics', 'apply', '--by', name, '--json'], env);
    expect([applied.code, (applied.json() as { created: string[] }).created]).toMatchObject([0, { length: 11 }]);
    expect(await plan()).toMatchObject({ code: 0 });
    expect(await report(['topics', 'apply', '--by', name], env)).toMatchObject({ created: [], set: [], unchanged: 11 });
    expect(await changes(name)).toMatchObject([{ command: 'topics apply', outcome: 'done' }]);
    const text = await admin(['topics', 'plan'], env);
    expect([text.code, text.out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${name}.watermarks +the service +1 +-?\\d+ +LogAppendTime +\\d+ +ok$`, 'm')),
    ]);
  }, 300_000);

  it('name a setting that differs, and set it without touching others', async () => {
    const { name, trades, env, plan } = await newNames();
    const letters = await stores.bench.newTopic(deadLetterTopicOf(trades), {
      configs: { 'retention.ms': '1000', 'segment.ms': '7777' },
    });
    const found = (await plan()).topics.find(({ topic }) => topic === letters);
    expect(found).toMatchObject({
      state: 'differs',
      found: { 'retention.ms': '1000', 'message.timestamp.type': 'CreateTime' },
      differences: expect.arrayContaining([{ name: 'retention.ms', expected: '-1', found: '1000' }]),
    });
    expect(await report(['topics', 'apply', '--by', name], env)).toMatchObject({ set: [letters] });
    expect((await plan()).code).toBe(0);
  }, 300_000);

  it('refuse to add partitions, which would move keys, and then change nothing', async () => {
    const { name, env, plan } = await newNames();
    await stores.bench.newTopic(`${name}.jettons.rollup.hour.v1`, { partitions: 1 });
    const refused = await adminHere(['topics', 'apply', '--by', name], env);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining(`${name}.jettons.rollup.hour.v1: 1`)]);
    const states = (await plan()).topics.map(({ state }) => state);
    expect(states.filter((state) => state === 'missing')).toHaveLength(10);
    expect(states).toContain('lacksPartitions');
    expect(await changes(name)).toEqual([]);
  }, 300_000);
});
