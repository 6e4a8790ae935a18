import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { steps } from '@jetton-analytics/figures';
import { createHttpApp, type HttpApp, loadSettings, serviceSettings } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { z } from 'zod';
import { type CuttableRelay, cuttableRelay } from '../../test/cuttable-relay.js';
import { lsd, nativeAddress, otherStable, rawAddress, stable } from '../../test/pool-state.js';
import { seedFirstTrades, seedHolders, seedPools } from '../../test/seed-inputs.js';
import { SeededPostgres } from '../../test/seed-postgres.js';
import { SnapshotSeeder } from '../../test/seed-snapshots.js';
import { ReadModel } from '../read-model.js';
import { ReadModelModule } from '../read-model.module.js';
import { readModelSettings } from '../settings.js';

const Env = z.object({ ...serviceSettings, ...readModelSettings });
const a = rawAddress('a1');
const b = rawAddress('a2');
const pool = rawAddress('b1');
const t = 1_760_000_000;
const nowMs = t * 1_000;

let seeder: SnapshotSeeder;
let postgres: SeededPostgres;
let relays: { clickhouse: CuttableRelay; postgres: CuttableRelay };
let app: HttpApp;
let model: ReadModel;
let url: string;

const readiness = async () => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, text: await response.text() };
};

const awaited = <T>(what: string, probe: () => T) => pollUntil(probe, { what, timeoutMs: 20_000 });

const poolSeed = (version: number, tvlUsd: string, writtenAtMs: number) => ({
  pool,
  left: a,
  right: 'ton',
  reserves: ['5', null] as const,
  tvlUsd,
  tvlTon: '3',
  lastUpdated: t - 7,
  version,
  writtenAtMs,
});

beforeAll(async () => {
  [seeder, postgres] = await Promise.all([SnapshotSeeder.create(), SeededPostgres.create()]);
  relays = {
    clickhouse: await cuttableRelay(seeder.settings['CLICKHOUSE_URL'] ?? ''),
    postgres: await cuttableRelay(postgres.url),
  };
  await seeder.term(1, 'wall');
  for (const step of steps) {
    await seeder.snapshot({ term: 1, step, calculatedAt: t, sequence: 1, jettons: { [a]: 5 } });
  }
  await seedPools(seeder.writer, [poolSeed(1, '12.5', nowMs)]);
  const shard = { asset: a, holders: '2', balances: '100', burned: '10', newest: t - 3, writtenAtMs: nowMs };
  await seedHolders(seeder.writer, [
    { ...shard, shard: 0, topTen: Array.from({ length: 10 }, (_, index) => String(20 - index)), version: 5 },
    { ...shard, shard: 9, topTen: ['300', '1'], version: 6 },
  ]);
  await seedFirstTrades(seeder.writer, [
    [a, t - 500, nowMs],
    [a, t - 900, nowMs],
  ]);
  await postgres.metadata(a, { name: 'A jetton', symbol: 'A', decimals: 3, total_supply: '1000', mintable: false });
  await postgres.metadata(b, {
    name: 'Never traded',
    created_at_s: t - 5,
    links: '[{"name":"n","url":"u","type":"t"}]',
  });
  await postgres.label(a, 'JVS_VERIFIED');
  await postgres.rate('2025-10-08', 'eur', '0.123456789012345678901');

  relays.postgres.cut();
  const address = new URL(postgres.url);
  address.host = new URL(relays.postgres.url).host;
  const settings = loadSettings(Env, {
    ...seeder.settings,
    CLICKHOUSE_URL: relays.clickhouse.url,
    DATABASE_URL: address.toString(),
    NATIVE_ADDRESSES: nativeAddress,
    STABLE_ADDRESSES: `${stable},${otherStable}`,
    LSD_ADDRESSES: lsd,
    LOG_LEVEL: 'silent',
    FOLLOW_INTERVAL_MS: '20',
    FOLLOW_INPUTS_INTERVAL_MS: '20',
  });
  app = await createHttpApp(ReadModelModule.with({ application: 'spec' }), { name: 'spec', settings });
  ({ url } = await app.listen());
  model = app.nest.get(ReadModel);
}, 600_000);
afterAll(async () => {
  await app?.close();
  relays?.clickhouse.close();
  relays?.postgres.close();
  await Promise.all([seeder?.close(), postgres?.close()]);
});

describe('the read model and its stores', () => {
  it('reads ClickHouse while PostgreSQL is away at the start, is not ready and says what it waits for', async () => {
    await awaited('the snapshots', () => model.calculatedAt);
    await pollUntil(async () => !(await readiness()).text.includes('holders'), { what: 'the holders' });
    const { status, text } = await readiness();
    expect(status).toBe(503);
    expect(text).toContain('waiting for metadata, labels, rates; the store is away: PostgreSQL');
    expect(model.row(a)).toBeUndefined();
  }, 180_000);

  it('is ready with every figure derived as soon as each source has been read', async () => {
    relays.postgres.mend();
    await pollUntil(async () => (await readiness()).status === 200, { what: 'readiness', timeoutMs: 20_000 });
    expect(model.row(a)).toMatchObject({
      metadata: { name: 'A jetton', symbol: 'A', mintable: false },
      verification: 'JVS_VERIFIED',
      decimals: 3,
      createdAt: t - 900,
      price: { value: '1500000000', decimals: 9 },
      priceUsd: undefined,
      supply: { totalSupply: 1_000n, circulatingSupply: 980n, isComplete: true },
      holdersCount: 4n,
      holdersChangedAt: t - 3,
      liquidityUsd: { value: '12500000', decimals: 6 },
      tvl: { value: '3000000000', decimals: 9 },
      liquidityChangedAt: t - 7,
    });
    // 300 and the nine greatest of the other shard: 20 + 19 + … + 12
    expect(model.trustScore(a)?.parts.find(({ part }) => part === 'concentration')?.reason).toContain('45.3');
    expect(model.row(b)).toMatchObject({ createdAt: t - 5, metadata: { links: [{ name: 'n', url: 'u', type: 't' }] } });
    expect(model.list.size).toBe(2);
    expect(model.rates.on('eur', '2025-10-09')).toEqual({ value: 123_456_789_012_345_678_901n, decimals: 21 });
    expect(model.markets(a)).toMatchObject([{ poolAddress: pool, counterpart: 'ton', exchangeId: 'dedust' }]);
  }, 180_000);

  it('follows every source', async () => {
    await Promise.all([
      seedPools(seeder.writer, [poolSeed(2, '20', nowMs + 5)]),
      seedHolders(seeder.writer, [
        {
          asset: a,
          shard: 9,
          holders: '1',
          balances: '50',
          burned: '0',
          topTen: ['50'],
          newest: t,
          version: 7,
          writtenAtMs: nowMs + 5,
        },
      ]),
      seedFirstTrades(seeder.writer, [[a, t - 1_000, nowMs + 5]]),
      postgres.metadata(b, { name: 'Another name' }),
      postgres.label(b, 'JVS_SCAM'),
      postgres.rate('2025-10-08', 'eur', '2'),
    ]);
    const seen = () => {
      const [first, second] = [model.row(a), model.row(b)];
      return {
        liquidity: first?.liquidityUsd?.value,
        holders: first?.holdersCount,
        holdersChangedAt: first?.holdersChangedAt,
        createdAt: first?.createdAt,
        name: second?.metadata.name,
        verification: second?.verification,
        rate: model.rates.on('eur', '2025-10-08')?.value,
      };
    };
    const expected = {
      liquidity: '20000000',
      holders: 3n,
      holdersChangedAt: t,
      createdAt: t - 1_000,
      name: 'Another name',
      verification: 'JVS_SCAM',
      rate: 2n,
    };
    await awaited('every change', () => isDeepStrictEqual(seen(), expected)).catch(() => undefined);
    expect(seen()).toEqual(expected);
  }, 300_000);

  it('goes on with what is known while both are away, stays ready, says so, and catches up when they are back', async () => {
    const record = model.row(a);
    relays.clickhouse.cut();
    relays.postgres.cut();
    await pollUntil(
      async () => {
        const { text } = await readiness();
        return text.includes('ClickHouse') && text.includes('PostgreSQL');
      },
      { what: 'both outages', timeoutMs: 20_000 },
    );
    expect((await readiness()).status).toBe(200);
    expect(model.row(a)).toBe(record);
    await postgres.label(a, 'JVS_SCAM');
    await seedPools(seeder.writer, [poolSeed(3, '30', nowMs + 10)]);
    relays.clickhouse.mend();
    relays.postgres.mend();
    await awaited('the label', () => model.row(a)?.verification === 'JVS_SCAM' && model.row(a)?.trustScore === 0);
    await awaited('the pool', () => model.row(a)?.liquidityUsd?.value === '30000000');
    await pollUntil(async () => (await readiness()).text.includes('following'), {
      what: 'readiness',
      timeoutMs: 20_000,
    });
  }, 300_000);
});
