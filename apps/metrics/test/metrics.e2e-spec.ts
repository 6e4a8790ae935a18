import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpApp, type HttpApp, loadSettings } from '@jetton-analytics/service';
import { sharedPostgres } from '@jetton-analytics/testing';
import { AppModule } from '../src/app.module.js';
import { Env } from '../src/env.js';

const apps: HttpApp[] = [];

async function start(databaseUrl: string): Promise<string> {
  const settings = loadSettings(Env, { DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'silent' });
  const app = await createHttpApp(AppModule, { name: 'metrics', settings });
  apps.push(app);
  return (await app.listen()).url;
}
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
});

describe('the metrics app', () => {
  let url: string;
  beforeAll(async () => {
    url = await start((await sharedPostgres()).url);
  }, 120_000);

  it('is ready while PostgreSQL answers', async () => {
    const response = await fetch(`${url}/readyz`);
    expect(await response.json()).toEqual({ status: 'ready', checks: { postgres: { ok: true } } });
  });

  it('starts without PostgreSQL: live, not ready, and silent about where it looked', async () => {
    const lonely = await start('postgres://user:secret@127.0.0.1:1/none');
    expect((await fetch(`${lonely}/livez`)).status).toBe(200);
    const response = await fetch(`${lonely}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toMatch(/secret|127\.0\.0\.1/);
  });

  it('has no public operation yet: every path of it is unknown', async () => {
    expect((await fetch(`${url}/v1/jettons`)).status).toBe(404);
  });
});
