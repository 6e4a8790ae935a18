import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil, sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { JettonLabelChange } from './jetton-label-change.entity.js';
import { JettonLabel } from './jetton-label.entity.js';
import { migrate } from './migrate.js';

const address = `0:${'ab'.repeat(32)}`;
let url: string;
let database: DataSource;

beforeAll(async () => {
  const server = await sharedPostgres();
  const admin = await createDataSource(server.url, { application: 'spec' }).initialize();
  const name = uniqueName('postgres');
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(server.url);
  own.pathname = `/${name}`;
  url = own.toString();
}, 480_000);
afterAll(() => database?.destroy());

const label = (verification: string, reason: string) => ({
  address,
  verification,
  setBy: 'curator',
  setAt: new Date('2026-01-02T03:04:05Z'),
  reason,
});

describe('migrate', () => {
  it('applies each migration once, whoever comes at the same time', async () => {
    const results = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(await migrate(url)).toEqual([]);
    database = await createDataSource(url, { application: 'spec' }).initialize();
    expect(results.flat()).toEqual(database.migrations.map(({ constructor }) => constructor.name));
    expect(results.flat()).toContain('CreateJettonLabels1795219200000');
  });
});

describe('jetton labels', () => {
  it('keep who, when and why of every change', async () => {
    const labels = database.getRepository(JettonLabel);
    await labels.upsert(label('JVS_APPROVED', 'curated list'), ['address']);
    await labels.upsert(label('JVS_SCAM', 'imitates another jetton'), ['address']);
    expect(await labels.findOneByOrFail({ address })).toMatchObject({ verification: 'JVS_SCAM', setBy: 'curator' });
    const history = await database.getRepository(JettonLabelChange).find({ order: { changeNumber: 'ASC' } });
    expect(history.map(({ verification, reason }) => [verification, reason])).toEqual([
      ['JVS_APPROVED', 'curated list'],
      ['JVS_SCAM', 'imitates another jetton'],
    ]);
  });

  it('refuse unknown values, addresses that are not raw, a missing reason, and the loss of history', async () => {
    const labels = database.getRepository(JettonLabel);
    await expect(labels.insert({ ...label('JVS_GOOD', 'x'), address: `0:${'cd'.repeat(32)}` })).rejects.toThrow(
      'check constraint',
    );
    await expect(labels.insert({ ...label('JVS_NONE', 'x'), address: 'EQabc' })).rejects.toThrow('check constraint');
    await expect(labels.insert({ ...label('JVS_NONE', ''), address: `0:${'cd'.repeat(32)}` })).rejects.toThrow(
      'check constraint',
    );
    await expect(labels.delete({ address })).rejects.toThrow('history must stay');
    await expect(database.getRepository(JettonLabelChange).delete({ address })).rejects.toThrow('history must stay');
  });

  it('show change numbers in ascending order: a greater one waits for the commit of a smaller one', async () => {
    const insert = `INSERT INTO jetton_labels (address, verification, set_by, set_at, reason)
                    VALUES ($1, 'JVS_VERIFIED', 'a', now(), 'b') RETURNING change_number`;
    const first = database.createQueryRunner();
    const second = database.createQueryRunner();
    await first.startTransaction();
    await second.startTransaction();
    await first.query(insert, [`0:${'01'.repeat(32)}`]);
    let secondDone = false;
    const waiting = second.query(insert, [`0:${'02'.repeat(32)}`]).then(() => (secondDone = true));
    await pollUntil(
      async () =>
        (await database.query<unknown[]>(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length >
        0,
      { what: 'the second writer to wait' },
    );
    expect(secondDone).toBe(false);
    await first.commitTransaction();
    await waiting;
    await second.commitTransaction();
    await Promise.all([first.release(), second.release()]);
    const rows = await database.query<{ address: string }[]>(
      `SELECT address FROM jetton_labels WHERE verification = 'JVS_VERIFIED' ORDER BY change_number`,
    );
    expect(rows.map((row) => row.address.slice(2, 4))).toEqual(['01', '02']);
  });
});
