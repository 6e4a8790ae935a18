import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
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

const jettons = 10_000;
const t = 1_760_000_000;
// 100,000 of them fit into 1.5 GiB, with a quarter left for what is under way and for bytes kept.
const heapBytesPerJettonMax = 12_000;

let seeder: SnapshotSeeder;
let postgres: SeededPostgres;
let app: HttpApp;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

beforeAll(async () => {
  [seeder, postgres] = await Promise.all([SnapshotSeeder.create(), SeededPostgres.create()]);
  await seeder.term(1, 'wall');
  for (const step of steps) {
    await seedMany(seeder.writer, jettons, step, (BigInt(t) << 64n) | (1n << 32n) | 1n);
    await seeder.mark({ term: 1, step, calculatedAt: t, sequence: 1 });
  }
  await seedManyInputs(seeder.writer, jettons);
  await postgres.manyMetadata(jettons);
}, 600_000);
afterAll(async () => {
  await app?.close();
  await Promise.all([seeder?.close(), postgres?.close()]);
}, 180_000);

it('a model of many busy jettons, each with a market, holds few bytes per jetton', async () => {
  const settings = loadSettings(z.object({ ...serviceSettings, ...readModelSettings }), {
    ...seeder.settings,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'silent',
  });
  const before = heapBytes();
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  app = await createHttpApp(ReadModelModule.with({ application: 'spec' }), { name: 'spec', settings });
  const { url } = await app.listen();
  await pollUntil(async () => (await fetch(`${url}/readyz`)).status === 200, {
    what: 'readiness',
    timeoutMs: 120_000,
    intervalMs: 100,
  });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const heapBytesPerJetton = Math.round((heapBytes() - before) / jettons);
  const model = app.nest.get(ReadModel);
  expect([model.list.size, model.counts]).toEqual([jettons, { jettons, markets: jettons }]);
  const cpuSeconds = (user + system) / 1e6;
  console.log(
    `${jettons} jettons: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ${heapBytesPerJetton} bytes each`,
  );
  expect(heapBytesPerJetton).toBeLessThan(heapBytesPerJettonMax);
}, 600_000);
