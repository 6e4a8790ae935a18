import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineCommand, defineQuery } from '@jetton-analytics/clickhouse';
import { OperatorChange } from '@jetton-analytics/postgres';
import { z } from 'zod';
import { address, nativeAddress } from '../../aggregator/test/feed-messages.js';
import { type ExplainedStore, newExplainedStore } from './explained-store.js';
import { newDatabase } from './new-database.js';
import { admin, adminHere, report } from './run-command.js';

// 2026-03-10T10:00:17Z
const c = 1_773_136_817;
const jetton = address('rebuilt');
const range = ['--from', '2026-03-10T09:00:00Z', '--to', '2026-03-10T10:00:30Z'];

const spoil = defineCommand({
  name: 'spoil',
  sql: `INSERT INTO jetton_trades_per_minute_v1
        SELECT * REPLACE (transactions_buy + 7 AS transactions_buy) FROM jetton_trades_per_minute_v1 FINAL`,
  params: z.object({}),
});
const buckets = defineQuery({
  name: 'buckets',
  sql: `SELECT toInt32(transactions_buy) AS buys, toInt32(bitShiftRight(version, 192)) AS epoch
        FROM jetton_trades_per_minute_v1 FINAL ORDER BY minute, jetton`,
  params: z.object({}),
  row: z.object({ buys: z.int(), epoch: z.int() }),
});
const epochs = defineQuery({
  name: 'epochs',
  sql: 'SELECT toInt32(epoch) AS number, state, set_by, reason FROM rebuild_epochs_v1 ORDER BY epoch, state',
  params: z.object({}),
  row: z.object({ number: z.int(), state: z.string(), set_by: z.string(), reason: z.string() }),
});

let database: Awaited<ReturnType<typeof newDatabase>>;
let store: ExplainedStore;
let env: Record<string, string>;
beforeAll(async () => {
  [database, store] = await Promise.all([newDatabase(), newExplainedStore()]);
  env = { ...database.env, ...store.env };
  await store.write(
    { sold: nativeAddress, bought: jetton, eventTime: c - 60 },
    { sold: nativeAddress, bought: address('another'), eventTime: c - 90 },
  );
  await store.store.command(spoil, {});
}, 480_000);
afterAll(async () => {
  await Promise.all([store?.store.close(), database?.database.destroy()]);
});
const stored = () => store.store.query(buckets, {});
const journal = () => database.database.manager.find(OperatorChange, { order: { id: 'ASC' } });

describe('rebuild', () => {
  it('dry: says what it would recompute and changes and records nothing', async () => {
    expect(await report(['rebuild', ...range, '--dry-run'], env)).toMatchObject({
      from: '2026-03-10T09:00:00Z',
      to: '2026-03-10T10:01:00Z',
      jetton: null,
      hours: 1,
      legs: '2',
      epoch: null,
      dryRun: true,
    });
    expect(await store.store.query(epochs, {})).toEqual([]);
    expect([await stored(), await journal()]).toEqual([
      [
        { buys: 8, epoch: 0 },
        { buys: 8, epoch: 0 },
      ],
      [],
    ]);
  }, 300_000);

  it('of one jetton recomputes its buckets alone', async () => {
    expect(await report(['rebuild', ...range, '--jetton', jetton], env)).toMatchObject({ epoch: '1', legs: '1' });
    expect(new Set((await stored()).map(({ buys, epoch }) => `${buys} ${epoch}`))).toEqual(new Set(['8 0', '1 1']));
  }, 300_000);

  it('recomputes all, as a process of its own, and keeps who and when', async () => {
    const ended = await admin(['rebuild', ...range, '--by', 'ann'], env);
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('2 rows of the ledger in 1 hours')]);
    expect(ended.err).toContain('hours recomputed [########################] 100 %\n');
    expect(await stored()).toEqual([
      { buys: 1, epoch: 2 },
      { buys: 1, epoch: 2 },
    ]);
    const [, , started, finished] = await store.store.query(epochs, {});
    expect([started, finished]).toMatchObject([
      { number: 2, state: 'started', set_by: 'ann' },
      { number: 2, state: 'finished', set_by: 'ann', reason: expect.stringContaining('all jettons') },
    ]);
    expect((await journal()).at(-1)).toMatchObject({
      command: 'rebuild',
      setBy: 'ann',
      outcome: 'done',
      details: { from: '2026-03-10T09:00:00Z', jetton: null },
      result: { epoch: '2', legs: '2' },
    });
    const { changes } = (await report(['journal', '--limit', '1'], env)) as { changes: object[] };
    expect(changes).toMatchObject([{ command: 'rebuild', setBy: 'ann', outcome: 'done' }]);
  }, 300_000);

  it('changes nothing that it cannot record', async () => {
    const ended = await admin(['rebuild', ...range], {
      ...env,
      DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
    });
    expect(ended.code).toBe(4);
    expect(await store.store.query(epochs, {})).toHaveLength(4);
  }, 300_000);

  it.each([
    [['--from', 'yesterday', '--to', '2026-03-10T10:00:00Z'], '--from: expected an instant'],
    [['--from', '2026-03-10T10:00:00Z', '--to', '2026-03-10T09:00:00Z'], '--to: must be later'],
    [[...range, '--jetton', 'EQ'], '--jetton'],
    [['--from', '2026-03-10T10:00:00Z'], '--to'],
  ])('refuses %j as wrong usage', async (args, named) => {
    const ended = await adminHere(['rebuild', ...args], env);
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(named)]);
  });
});
