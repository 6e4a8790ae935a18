import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from './new-database.js';
import { admin } from './run-command.js';

const jetton = `0:${'a'.repeat(64)}`;
let store: Awaited<ReturnType<typeof newDatabase>>;
let folder: string;
beforeAll(async () => {
  store = await newDatabase();
  folder = mkdtempSync(join(tmpdir(), 'admin-commands-'));
  writeFileSync(join(folder, 'list.json'), JSON.stringify([{ address: jetton }]));
  writeFileSync(join(folder, 'rates.csv'), 'date,eur\n2026-01-01,0.9\n');
}, 480_000);
afterAll(async () => {
  await store?.database.destroy();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** Runs a command as a process in the folder npm would name; its report. */
async function run(...args: string[]): Promise<Record<string, unknown>> {
  const ended = await admin([...args, '--json'], { ...store.env, INIT_CWD: folder });
  expect([ended.code, ended.err]).toEqual([0, '']);
  return ended.json() as Record<string, unknown>;
}

describe('the built tool, as processes side by side', () => {
  it('works on keys and plans', async () => {
    const { prefix } = await run('keys', 'create', '--owner', 'acme', '--plan', 'free');
    const [rotated, plans, plan] = await Promise.all([
      run('keys', 'rotate', String(prefix)),
      run('plans', 'list'),
      run('plans', 'set', 'free', '--per-second', '6'),
    ]);
    expect(plans['plans']).toHaveLength(4);
    expect(plan).toMatchObject({ after: { requestsPerSecond: 6 } });
    const [revoked, listed] = await Promise.all([
      run('keys', 'revoke', String(rotated['id'])),
      run('keys', 'list', '--owner', 'acme'),
    ]);
    expect(revoked).toMatchObject({ changed: true });
    expect(listed['keys']).toHaveLength(2);
  }, 480_000);

  it('works on labels and rates, with paths from where npm was called; two at once do not disturb each other', async () => {
    const imports = await Promise.all([run('labels', 'import', 'list.json'), run('labels', 'import', 'list.json')]);
    expect(imports.map(({ added }) => Number(added)).sort((a, b) => a - b)).toEqual([0, 1]);
    const [rates, set] = await Promise.all([
      run('rates', 'import', 'rates.csv'),
      run('labels', 'set', jetton, 'JVS_VERIFIED', '--reason', 'known'),
    ]);
    expect(rates).toMatchObject({ inserted: 1 });
    expect(set).toMatchObject({ from: 'JVS_APPROVED', to: 'JVS_VERIFIED' });
    expect(await run('labels', 'show', jetton)).toMatchObject({ verification: 'JVS_VERIFIED', history: [{}, {}] });
  }, 480_000);

  it('says what is wrong and how it ended, as text or as JSON', async () => {
    const [help, none, typo, settings, away] = await Promise.all([
      admin(['--help']),
      admin([]),
      admin(['lables', '--json']),
      admin(['plans', 'list'], { DATABASE_URL: 'nonsense' }),
      admin(['plans', 'list', '--json'], { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }),
    ]);
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('explain [options] <jetton>')]);
    expect([none.code, none.out]).toEqual([2, '']);
    expect([typo.code, JSON.parse(typo.err)]).toMatchObject([2, { error: 'usage' }]);
    expect([settings.code, settings.err]).toEqual([78, expect.stringContaining('DATABASE_URL')]);
    expect([away.code, JSON.parse(away.err)]).toMatchObject([4, { error: 'unavailable' }]);
    expect(away.err).not.toContain('secret');
  }, 480_000);
});
