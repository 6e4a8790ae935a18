import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWriter, migrate, type ClickHouseSettings } from '@jetton-analytics/clickhouse';
import { sharedClickHouse, uniqueName } from '@jetton-analytics/testing';
import { z } from 'zod';
import { anyQuery, Table } from '../test/table.js';
import { createClickHousePins } from './clickhouse-pins.js';
import { ListWalks } from './list-walks.js';

let settings: ClickHouseSettings;
let pins: ReturnType<typeof createClickHousePins>;

beforeAll(async () => {
  const { url } = await sharedClickHouse();
  settings = {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_DATABASE: uniqueName('pins'),
    CLICKHOUSE_USER: 'default',
    CLICKHOUSE_PASSWORD: '',
    CLICKHOUSE_TIMEOUT_MS: 60_000,
  };
  await migrate(settings);
  pins = createClickHousePins(settings, { application: 'list-engine-spec' });
}, 300_000);

afterAll(async () => {
  await pins.close();
});

const noParams = z.object({});
const createdAtMs = Date.parse('2026-11-21T12:59:59.999Z');
const pinOf = (id: string, rows: Uint8Array) => ({ id: id.repeat(32), createdAtMs, fingerprint: 'f'.repeat(32), rows });

const start = () => new ListWalks({ secret: 's'.repeat(32), store: pins, nowMs: () => createdAtMs });

describe('pinned orders in ClickHouse', () => {
  it('come back byte for byte, also at the size of 100,000 jettons', async () => {
    const large = Uint8Array.from({ length: 800_012 }, (_, at) => (at * 31) % 256);
    for (const pin of [pinOf('1', Uint8Array.of(0, 255, 10, 13, 0)), pinOf('2', large)]) {
      await pins.save(pin);
      const loaded = await pins.load({ id: pin.id, createdAtMs });
      expect(loaded).toMatchObject({ id: pin.id, createdAtMs, fingerprint: pin.fingerprint });
      expect(Buffer.compare(loaded?.rows ?? Buffer.of(), pin.rows)).toBe(0);
    }
    expect(await pins.load({ id: '3'.repeat(32), createdAtMs })).toBeUndefined();
  });

  it('lie in a partition per hour of their own clock, so that whole hours can be dropped', async () => {
    const writer = createWriter(settings, { application: 'list-engine-spec' });
    try {
      await pins.save({ ...pinOf('4', Uint8Array.of(1)), createdAtMs: createdAtMs + 1 });
      await pins.save(pinOf('5', Uint8Array.of(1)));
      await writer.command(
        {
          name: 'dropHour',
          sql: "ALTER TABLE pinned_orders_v1 DROP PARTITION '2026-11-21 12:00:00'",
          params: noParams,
        },
        {},
      );
      expect(await pins.load(pinOf('5', Uint8Array.of()))).toBeUndefined();
      expect(await pins.load({ id: '4'.repeat(32), createdAtMs: createdAtMs + 1 })).toBeDefined();
    } finally {
      await writer.close();
    }
  });

  it('carry a walk over to another replica and over a restart', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({
      address: `${at === 7 ? '-1' : '0'}:${at.toString(16).padStart(2, '0').repeat(32)}`,
      name: '',
      symbol: '',
      verification: 'JVS_NONE' as const,
      admin: undefined,
      isRow: true,
      figures: new Map(),
    }));
    const walked: string[] = [];
    let next: string | undefined;
    do {
      const query = { ...anyQuery, limit: 7, ...(next === undefined ? {} : { cursor: next }) };
      const page = await start().page(new Table(rows.toReversed()), 'jettons', query);
      walked.push(...page.addresses);
      ({ next } = page);
    } while (next !== undefined);
    expect(walked).toEqual(rows.map(({ address }) => address).sort());
  });

  it('are given up within their deadline where the store takes the request and never answers', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const stuck = createClickHousePins(
      { ...settings, CLICKHOUSE_URL: `http://127.0.0.1:${port}` },
      { application: 'x' },
    );
    try {
      const started = performance.now();
      await expect(stuck.save(pinOf('6', Uint8Array.of(1)))).rejects.toThrow(/insertPin/);
      expect(performance.now() - started).toBeLessThan(10_000);
    } finally {
      await stuck.close();
      silent.close();
    }
  }, 20_000);
});
