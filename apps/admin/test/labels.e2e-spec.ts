import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JettonLabel, JettonLabelChange } from '@jetton-analytics/postgres';
import { sharedData } from '@jetton-analytics/testing';
import { newDatabase } from './new-database.js';
import { admin, adminHere, report } from './run-command.js';

type Database = Awaited<ReturnType<typeof newDatabase>>;
let store: Database;
let folder: string;
beforeAll(async () => {
  store = await newDatabase();
  folder = mkdtempSync(join(tmpdir(), 'admin-labels-'));
}, 480_000);
afterAll(async () => {
  await store?.database.destroy();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const raw = (digit: string) => `0:${digit.repeat(64)}`;
const usdt = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
const usdtRaw = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';

function listFile(name: string, entries: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(entries));
  return file;
}
const label = (address: string) => store.database.manager.findOneBy(JettonLabel, { address });
const changes = () => store.database.manager.count(JettonLabelChange);

describe('labels import', () => {
  it('labels every entry, whatever the form of its address, with who, when and why; again it changes nothing', async () => {
    const file = listFile('first.json', [{ address: raw('a'), name: 'a' }, { address: usdt }, { address: usdtRaw }]);
    const before = await changes();
    expect(await report(['labels', 'import', file, '--dry-run'], store.env)).toMatchObject({ added: 2, dryRun: true });
    expect(await changes()).toBe(before);
    expect(await report(['labels', 'import', file, '--by', 'ann'], store.env)).toMatchObject({
      file: 'first.json',
      verification: 'JVS_APPROVED',
      entries: 3,
      jettons: 2,
      added: 2,
      unchanged: 0,
      replaced: [],
      kept: [],
      dryRun: false,
      by: 'ann',
    });
    expect(await label(usdtRaw)).toMatchObject({ verification: 'JVS_APPROVED', setBy: 'ann' });
    expect((await label(raw('a')))?.reason).toMatch(/^import of first\.json \(sha256 [0-9a-f]{12}\)$/);
    expect(await changes()).toBe(before + 2);
    expect(await report(['labels', 'import', file], store.env)).toMatchObject({ added: 0, unchanged: 2 });
    expect(await changes()).toBe(before + 2);
  }, 300_000);

  it('keeps what a curator has decided otherwise and says so, unless told to replace it', async () => {
    await report(['labels', 'set', raw('b'), 'JVS_SCAM', '--reason', 'a copy', '--by', 'bob'], store.env);
    const file = listFile('second.json', [{ address: raw('b') }, { address: raw('c') }]);
    expect(await report(['labels', 'import', file], store.env)).toMatchObject({
      added: 1,
      kept: [{ address: raw('b'), verification: 'JVS_SCAM', setBy: 'bob' }],
    });
    expect((await label(raw('b')))?.verification).toBe('JVS_SCAM');
    const args = ['labels', 'import', file, '--overwrite', '--as', 'JVS_COMMUNITY_APPROVED', '--reason', 'new list'];
    expect(await report(args, store.env)).toMatchObject({ added: 0, verification: 'JVS_COMMUNITY_VERIFIED', kept: [] });
    expect(await label(raw('b'))).toMatchObject({ verification: 'JVS_COMMUNITY_VERIFIED', reason: 'new list' });
  }, 300_000);

  it('takes nothing of a list with a wrong entry, and names it by its index', async () => {
    const file = listFile('wrong.json', [{ address: raw('d') }, { address: '0:12' }]);
    const ended = await admin(['labels', 'import', file], store.env);
    expect([ended.code, ended.out]).toEqual([2, '']);
    expect(ended.err).toContain('1 of 2 entries are wrong');
    expect(ended.err).toContain('entry 1: address: must be');
    expect(await label(raw('d'))).toBeNull();
    expect((await admin(['labels', 'import', join(folder, 'none.json')], store.env)).code).toBe(2);
  }, 300_000);
});

const curated = sharedData('ton-assets/jettons.json');
const describeReal = curated === undefined ? describe.skip : describe;

describeReal('labels import of the real list', () => {
  it('takes its two and a half thousand jettons', async () => {
    const result = await report(['labels', 'import', curated ?? ''], store.env);
    expect(result).toMatchObject({ entries: 2_572, jettons: 2_572, verification: 'JVS_APPROVED' });
    expect(await report(['labels', 'import', curated ?? ''], store.env)).toMatchObject({ added: 0 });
  }, 300_000);
});

describe('labels set and show', () => {
  it('tell the whole history, newest first', async () => {
    const set = (verification: string, ...more: string[]) =>
      report(
        ['labels', 'set', usdt.replaceAll('_', '/'), verification, '--reason', `now ${verification}`, ...more],
        store.env,
      );
    expect(await set('JVS_VERIFIED', '--dry-run')).toMatchObject({ address: usdtRaw, changed: true, dryRun: true });
    expect(await set('JVS_VERIFIED')).toMatchObject({ to: 'JVS_VERIFIED', changed: true, by: userInfo().username });
    expect(await set('JVS_VERIFIED')).toMatchObject({ changed: false });
    await set('JVS_NONE', '--by', 'carl');
    const shown = (await report(['labels', 'show', usdtRaw.toUpperCase()], store.env)) as { history: unknown[] };
    expect(shown).toMatchObject({ address: usdtRaw, userFriendly: usdt, verification: 'JVS_NONE' });
    expect(shown.history.slice(0, 2)).toMatchObject([
      { verification: 'JVS_NONE', setBy: 'carl', reason: 'now JVS_NONE' },
      { verification: 'JVS_VERIFIED', setBy: userInfo().username, reason: 'now JVS_VERIFIED' },
    ]);
  }, 300_000);

  it('show a jetton that was never labelled as JVS_NONE', async () => {
    expect(await report(['labels', 'show', raw('9')], store.env)).toMatchObject({
      verification: 'JVS_NONE',
      history: [],
    });
  }, 300_000);

  it.each([
    [['labels', 'set', raw('e'), 'JVS_GOOD', '--reason', 'x'], 'JVS_GOOD'],
    [['labels', 'set', raw('e'), 'JVS_SCAM'], '--reason'],
    [['labels', 'set', raw('e'), 'JVS_SCAM', '--reason', ' '], '--reason'],
    [['labels', 'set', 'EQnonsense', 'JVS_SCAM', '--reason', 'x'], 'address'],
    [['labels', 'set', raw('e'), 'JVS_SCAM', '--reason', 'x', '--by', ''], '--by'],
    [['labels', 'show'], 'address'],
    [['labels', 'show', raw('e'), 'more'], 'too many arguments'],
  ])(
    'refuse %j as wrong usage, naming what is wrong',
    async (args, named) => {
      const ended = await adminHere(args, store.env);
      expect(ended.code).toBe(2);
      expect(ended.err).toContain(named);
      expect(await label(raw('e'))).toBeNull();
    },
    300_000,
  );
});
