import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { steps } from '@jetton-analytics/figures';
import { createHttpApp, type HttpApp, loadSettings, serviceSettings } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { z } from 'zod';
import { ReadModel } from '../src/read-model.js';
import { ReadModelModule } from '../src/read-model.module.js';
import { readModelSettings } from '../src/settings.js';
import { seedMany, seedManyInputs } from './seed-many.js';
import { SeededPostgres } from './seed-postgres.js';
import { SnapshotSeeder } from './seed-snapshots.js';

const jettons = 20_000;
const t = 1_760_000_000;
let seeder: SnapshotSeeder;
let postgres: SeededPostgres;
let app: HttpApp;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapBytes = () => {
  collect();
  return process.memoryUsage().heapUsed;
};

beforeAll(async () => {
  [seeder, postgres] = await Promise.all([SnapshotSeeder.create(), SeededPostgres.create()]);
  await seeder.term(1, 'wall');
  for (const step of steps) {
    const snapshot = { term: 1, step, calculatedAt: t, sequence: 1 };
    await seedMany(seeder.writer, jettons, step, (BigInt(t) << 64n) | (1n << 32n) | 1n);
    await seeder.mark(snapshot);
  }
  await seedManyInputs(seeder.writer, jettons);
  await postgres.manyMetadata(jettons);
}, 600_000);
afterAll(async () => {
  await app?.close();
  await Promise.all([seeder?.close(), postgres?.close()]);
}, 60_000);

describe('hydration', () => {
  it('of many jettons is quick and small', async () => {
    const settings = loadSettings(z.object({ ...serviceSettings, ...readModelSettings }), {
      ...seeder.settings,
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'warn',
    });
    const heapBefore = heapBytes();
    const began = performance.now();
    let last = '';
    const times: Record<string, number> = {};
    app = await createHttpApp(ReadModelModule.with({ application: 'spec' }), { name: 'spec', settings });
    const { url } = await app.listen();
    const model = app.nest.get(ReadModel);
    await pollUntil(
      async () => {
        const response = await fetch(`${url}/readyz`);
        const text = await response.text();
        last = text;
        for (const word of [
          'pools',
          'holders',
          'first trades',
          'metadata',
          'labels',
          'rates',
          'short',
          'mid',
          'long',
          'deriv',
        ]) {
          if (!text.includes(word)) times[word] ??= Math.round(performance.now() - began);
        }
        return response.status === 200;
      },
      { what: 'readiness', timeoutMs: 30_000, intervalMs: 20 },
    ).catch((e) => console.log(last, times, e));
    const seconds = (performance.now() - began) / 1_000;
    const heap = heapBytes() - heapBefore;
    console.log({
      seconds,
      heapMiB: heap / 2 ** 20,
      rssMiB: process.memoryUsage().rss / 2 ** 20,
      times,
      size: model.list.size,
    });
    expect(model.list.size).toBe(jettons);
  }, 300_000);
});
