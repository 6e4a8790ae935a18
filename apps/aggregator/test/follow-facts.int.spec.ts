import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineInsert } from '@jetton-analytics/clickhouse';
import type { KafkaLogger } from '@jetton-analytics/kafka';
import { createDataSource, JettonMetadata } from '@jetton-analytics/postgres';
import { pollUntil } from '@jetton-analytics/testing';
import { FollowFacts } from '../src/facts/follow-facts.js';
import { KnownFacts } from '../src/facts/known-facts.js';
import { decimalsReader, sidesReader } from '../src/facts/read-facts.js';
import { address, assets } from './feed-messages.js';
import { newPostgres } from './postgres.js';
import { newStore } from './store.js';

const nothing = (): void => undefined;
const silent: KafkaLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const [a, b, pool, otherPool] = ['facts a', 'facts b', 'facts pool', 'facts other pool'].map((name) =>
  address(name).toLowerCase(),
) as [string, string, string, string]; // four names, four addresses

const insertStates = defineInsert<
  readonly [pool: string, left: string, right: string, recordTime: string, version: string, writtenAt: string]
>({
  name: 'insertStates',
  table: 'pool_states_v1',
  columns: ['pool', 'left_asset', 'right_asset', 'record_time', 'version', 'written_at'],
});

type DataSource = ReturnType<typeof createDataSource>;

let store: ClickHouseWriter;
let url: string;
let database: DataSource;
let running: { facts: FollowFacts; source: DataSource } | undefined;

beforeAll(async () => {
  [{ store }, url] = await Promise.all([newStore(), newPostgres()]);
  database = await createDataSource(url, { application: 'spec' }).initialize();
}, 480_000);
afterAll(async () => {
  await Promise.all([store?.close(), database?.destroy()]);
});
afterEach(async () => {
  await running?.facts.stop();
  if (running?.source.isInitialized) await running.source.destroy();
  running = undefined;
});

function follow(databaseUrl: string): FollowFacts {
  const known = new KnownFacts(assets);
  const source = createDataSource(databaseUrl, { application: 'spec facts', connectionsMax: 1 });
  const facts = new FollowFacts({
    facts: known,
    sources: { metadata: decimalsReader(source, known), pools: sidesReader(store, known) },
    logger: silent,
    periodMs: 20,
  });
  running = { facts, source };
  facts.start();
  return facts;
}

const setDecimals = (jetton: string, decimals: number | null) =>
  database
    .getRepository(JettonMetadata)
    .upsert({ address: jetton, decimals, earliestRecordS: '1773136800', updateTimeS: '0' }, ['address']);

let version = 0;
async function setSides(of: string, left: string, right: string, writtenAtS: number): Promise<void> {
  version += 1;
  await store.insert(insertStates, [[of, left, right, '1773136800.000', String(version), `${writtenAtS}.000`]]);
}

describe('the facts from the stores', () => {
  it('are read whole before they are ready, then followed, whatever clock their writers have', async () => {
    await setDecimals(a, 6);
    await setDecimals(b, null);
    await setSides(pool, a, 'ton', 1_773_136_800);
    const facts = follow(url);
    await facts.ready;
    const view = facts.view();
    expect([view.decimalsOf(a), view.decimalsOf(b), view.counterpartOf(a, pool)]).toEqual([6, 9, 'ton']);
    await setDecimals(b, 3);
    await setDecimals(a, null);
    // Written by a clock that is a minute behind.
    await setSides(otherPool, a, b, 1_773_136_740);
    await setSides(pool, a, b, 1_773_136_741);
    await pollUntil(
      () => {
        view.advance();
        return view.decimalsOf(b) === 3 && view.decimalsOf(a) === 9 && view.counterpartOf(b, otherPool) === a;
      },
      { what: 'the changed facts' },
    );
    await pollUntil(() => (view.advance(), view.counterpartOf(a, pool) === b), { what: 'the changed pool' });
  }, 300_000);

  it('are never ready while Postgres has not answered once, however often it is tried', async () => {
    const facts = follow('postgres://user:secret@127.0.0.1:1/none');
    const view = facts.view();
    let isReady = false;
    void facts.ready.then(() => (isReady = true));
    // The other source is followed all the same.
    await pollUntil(() => (view.advance(), view.counterpartOf(a, pool) === b), { what: 'the pools' });
    expect(isReady).toBe(false);
  }, 300_000);

  it('stay while Postgres is away, and move on when it is back', async () => {
    await setDecimals(a, 4);
    const facts = follow(url);
    await facts.ready;
    // The connections of the follower are ended; it finds new ones refused until the name is back.
    const name = new URL(url).pathname.slice(1);
    const admin = await createDataSource(url.replace(name, 'postgres'), { application: 'spec admin' }).initialize();
    try {
      await database.destroy();
      await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      const view = facts.view();
      await setSides(otherPool, b, 'ton', 1_773_136_802);
      await pollUntil(() => (view.advance(), view.counterpartOf(b, otherPool) === 'ton'), { what: 'the pools' });
      expect(view.decimalsOf(a)).toBe(4);
      await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
      await database.initialize();
      await setDecimals(a, 5);
      await pollUntil(() => (view.advance(), view.decimalsOf(a) === 5), {
        what: 'the new decimals',
        timeoutMs: 30_000,
      });
    } finally {
      await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
      await admin.destroy();
    }
  }, 300_000);
});
