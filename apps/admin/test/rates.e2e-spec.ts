import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FxRate, FxRateChange } from '@jetton-analytics/postgres';
import { newDatabase } from './new-database.js';
import { admin, adminHere, report } from './run-command.js';

let store: Awaited<ReturnType<typeof newDatabase>>;
let folder: string;
beforeAll(async () => {
  store = await newDatabase();
  folder = mkdtempSync(join(tmpdir(), 'admin-rates-'));
}, 480_000);
afterAll(async () => {
  await store?.database.destroy();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const changes = () => store.database.manager.count(FxRateChange);

describe('rates import', () => {
  it('takes a csv, exactly, with who and whence; again it changes nothing', async () => {
    const csv = file('daily.csv', 'date,usd,eur,gbp,ton\n2026-01-01,1,0.92282179,0.79,5\n2026-01-02,1,0.93,,5\n');
    expect(await report(['rates', 'import', csv, '--dry-run'], store.env)).toMatchObject({ inserted: 3, dryRun: true });
    expect(await changes()).toBe(0);
    expect(await report(['rates', 'import', csv, '--by', 'ann'], store.env)).toMatchObject({
      file: 'daily.csv',
      days: 2,
      firstDay: '2026-01-01',
      lastDay: '2026-01-02',
      rates: 3,
      inserted: 3,
      updated: 0,
      unchanged: 0,
      by: 'ann',
    });
    const rate = await store.database.manager.findOneBy(FxRate, { day: '2026-01-01', currency: 'eur' });
    expect(rate).toMatchObject({ rate: '0.92282179', setBy: 'ann' });
    const again = await admin(['rates', 'import', csv, '--json'], store.env);
    expect(again.json()).toMatchObject({ inserted: 0, updated: 0, unchanged: 3 });
    expect(await changes()).toBe(3);
  }, 300_000);

  it('takes the json of the daily service and replaces what is different', async () => {
    const json = file('day.json', '{"date":"2026-01-02","usd":{"eur":0.94,"gbp":7.9e-1,"btc":0.00001}}');
    const args = ['rates', 'import', json, '--source', 'by hand'];
    expect(await report(args, store.env)).toMatchObject({ inserted: 1, updated: 1, source: 'by hand' });
    const rate = await store.database.manager.findOneBy(FxRate, { day: '2026-01-02', currency: 'eur' });
    expect(rate).toMatchObject({ rate: '0.94', source: 'by hand' });
  }, 300_000);

  it.each([
    ['bad.csv', 'date,eur\n2026-01-03,0.9\n2026-01-04,none\n', 'line 3, eur'],
    ['bad.json', '{"date":"2026-01-03"}', 'not of the shape'],
    ['rates.txt', 'date,eur\n2026-01-03,0.9\n', '.csv or .json'],
  ])(
    'takes nothing of %s and says what is wrong',
    async (name, text, named) => {
      const before = await changes();
      const ended = await adminHere(['rates', 'import', file(name, text)], store.env);
      expect(ended.code).toBe(2);
      expect(ended.err).toContain(named);
      expect(await changes()).toBe(before);
    },
    300_000,
  );
});
