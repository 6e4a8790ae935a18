import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource, FxRate, FxRateChange, migrate } from '@jetton-analytics/postgres';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import { bundledRates, bundledSource, changedRates, type DayRate, importRates, Rates, rateText } from '../src/index.js';

let database: ReturnType<typeof createDataSource>;
const by = { by: 'curator', source: 'file.csv' };

beforeAll(async () => {
  const server = await sharedPostgres();
  const admin = await createDataSource(server.url, { application: 'spec' }).initialize();
  const name = uniqueName('rates');
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(server.url);
  own.pathname = `/${name}`;
  await migrate(own.toString());
  database = await createDataSource(own.toString(), { application: 'spec' }).initialize();
}, 480_000);
afterAll(() => database?.destroy());
beforeEach(async () => {
  await database.query('TRUNCATE fx_rates, fx_rate_changes');
});

const eur = (day: string, text: string): DayRate => {
  const [whole = '', fraction = ''] = text.split('.');
  return { day, currency: 'eur', rate: { value: BigInt(whole + fraction), decimals: fraction.length } };
};
const stored = async (): Promise<string[]> =>
  (await changedRates(database, '0')).rows.map(({ day, rate }) => `${day} ${rateText(rate)}`);

describe('an import of rates', () => {
  it('changes nothing when it is done again', async () => {
    const rows = [eur('2026-03-01', '0.91'), eur('2026-03-02', '0.123456789012345678901234567890')];
    expect(await importRates(database, rows, by)).toEqual({ inserted: 2, updated: 0, unchanged: 0 });
    const { changeNumber } = await changedRates(database, '0');
    expect(await importRates(database, rows, by)).toEqual({ inserted: 0, updated: 0, unchanged: 2 });
    expect(await changedRates(database, changeNumber)).toEqual({ rows: [], changeNumber });
    expect(await stored()).toEqual(['2026-03-01 0.91', '2026-03-02 0.12345678901234567890123456789']);
  });

  it('keeps who, when and whence of every change', async () => {
    await importRates(database, [eur('2026-03-01', '0.91')], by);
    expect(await importRates(database, [eur('2026-03-01', '0.92')], { by: 'refresh', source: 'https://x/y' })).toEqual({
      inserted: 0,
      updated: 1,
      unchanged: 0,
    });
    const history = await database.getRepository(FxRateChange).find({ order: { changeNumber: 'ASC' } });
    expect(history.map(({ day, currency, rate, source, setBy }) => [day, currency, rate, source, setBy])).toEqual([
      ['2026-03-01', 'eur', '0.91', 'file.csv', 'curator'],
      ['2026-03-01', 'eur', '0.92', 'https://x/y', 'refresh'],
    ]);
    expect(history[0]?.setAt).toBeInstanceOf(Date);
    expect(await database.getRepository(FxRate).findOneByOrFail({ currency: 'eur' })).toMatchObject({ rate: '0.92' });
  });

  it('of defaults leaves a rate alone that is there', async () => {
    await importRates(database, [eur('2026-03-01', '0.91')], by);
    const given = [eur('2026-03-01', '0.5'), eur('2026-03-02', '0.6')];
    expect(await importRates(database, given, { ...by, keepExisting: true })).toEqual({
      inserted: 1,
      updated: 0,
      unchanged: 1,
    });
    expect(await stored()).toEqual(['2026-03-01 0.91', '2026-03-02 0.6']);
  });

  it('that is dry says what it would do and does nothing', async () => {
    await importRates(database, [eur('2026-03-01', '0.91')], by);
    const given = [eur('2026-03-01', '0.5'), eur('2026-03-02', '0.6')];
    expect(await importRates(database, given, { ...by, dryRun: true })).toEqual({
      inserted: 1,
      updated: 1,
      unchanged: 0,
    });
    expect(await stored()).toEqual(['2026-03-01 0.91']);
  });

  it('takes the later of two rows of one day and currency', async () => {
    await importRates(database, [eur('2026-03-01', '0.91'), eur('2026-03-01', '0.92')], by);
    expect(await stored()).toEqual(['2026-03-01 0.92']);
  });

  it('stores all or nothing', async () => {
    const bad: DayRate = { day: '2026-03-02', currency: 'eur', rate: { value: 0n, decimals: 0 } };
    await expect(importRates(database, [eur('2026-03-01', '0.91'), bad], by)).rejects.toThrow('check constraint');
    expect(await stored()).toEqual([]);
  });

  it('of the bundled day gives every currency a rate', async () => {
    await importRates(database, bundledRates(), { by: 'migrate', source: bundledSource, keepExisting: true });
    const { rows } = await changedRates(database, '0');
    expect(Rates.of(rows).on('lkr', '2030-01-01')).toEqual(Rates.of(bundledRates()).on('lkr', '2030-01-01'));
    expect(rows).toHaveLength(52);
  });
});

describe('rates', () => {
  it('are followed by change number: what changed since is all that is read', async () => {
    await importRates(database, [eur('2026-03-01', '0.91'), eur('2026-03-02', '0.92')], by);
    const first = await changedRates(database, '0');
    await importRates(database, [eur('2026-03-01', '0.91'), eur('2026-03-02', '0.95')], by);
    const second = await changedRates(database, first.changeNumber);
    expect(second.rows.map(({ day, rate }) => [day, rateText(rate)])).toEqual([['2026-03-02', '0.95']]);
    expect(BigInt(second.changeNumber)).toBeGreaterThan(BigInt(first.changeNumber));
  });

  it('are never deleted, nor is their history', async () => {
    await importRates(database, [eur('2026-03-01', '0.91')], by);
    await expect(database.query('DELETE FROM fx_rates')).rejects.toThrow('history must stay');
    await expect(database.query('DELETE FROM fx_rate_changes')).rejects.toThrow('history must stay');
    await expect(
      database.query(`INSERT INTO fx_rates (day, currency, rate, source, set_by, set_at)
                      VALUES ('2026-03-01', 'ton', 1, 'a', 'b', now())`),
    ).rejects.toThrow('check constraint');
  });
});
