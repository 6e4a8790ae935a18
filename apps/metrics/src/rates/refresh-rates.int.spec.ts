import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { changedRates, rateText } from '@jetton-analytics/rates';
import { createLogger, loadSettings, systemClock } from '@jetton-analytics/service';
import { pollUntil, sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import { Env } from '../env.js';
import { RefreshRates } from './refresh-rates.js';

let database: ReturnType<typeof createDataSource>;
let databaseUrl: string;
let server: Server;
let url: string;
let asked = 0;

beforeAll(async () => {
  const shared = await sharedPostgres();
  const admin = await createDataSource(shared.url, { application: 'spec' }).initialize();
  const name = uniqueName('refresh');
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(shared.url);
  own.pathname = `/${name}`;
  databaseUrl = own.toString();
  await migrate(databaseUrl);
  database = await createDataSource(databaseUrl, { application: 'spec' }).initialize();
  server = createServer((_request, response) => {
    asked += 1;
    response.end('{"date":"2026-03-05","usd":{"eur":0.91}}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  url = `http://127.0.0.1:${address.port}/usd.json`;
}, 480_000);
afterAll(async () => {
  await database?.destroy();
  server?.close();
});

const refreshOf = (fxRatesUrl: string): RefreshRates => {
  const settings = loadSettings(Env, {
    DATABASE_URL: databaseUrl,
    FX_RATES_URL: fxRatesUrl,
    CURSOR_SECRET: 'signs the cursors of this spec only, nothing else',
  });
  return new RefreshRates(settings, createLogger({ name: 'spec', level: 'silent', format: 'json' }), systemClock);
};

describe('the refresh of rates', () => {
  it('stores the rates of FX_RATES_URL soon after the start and ends with the app', async () => {
    const refresh = refreshOf(url);
    refresh.onApplicationBootstrap();
    await pollUntil(async () => (await changedRates(database, '0')).rows.length > 0, { what: 'the rates' });
    await refresh.onApplicationShutdown();
    const { rows } = await changedRates(database, '0');
    expect(rows.map(({ day, currency, rate }) => [day, currency, rateText(rate)])).toEqual([
      ['2026-03-05', 'eur', '0.91'],
    ]);
  });

  it('asks nobody where FX_RATES_URL is not set', async () => {
    const before = asked;
    const refresh = refreshOf('');
    refresh.onApplicationBootstrap();
    await refresh.onApplicationShutdown();
    expect(asked).toBe(before);
  });
});
