import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineInsert, defineQuery } from '@jetton-analytics/clickhouse';
import { type Leg } from '@jetton-analytics/feed';
import * as fc from 'fast-check';
import { z } from 'zod';
import { FirstTrades } from '../src/ledger/first-trades.js';
import { insertLegs, legRows } from '../src/ledger/leg-rows.js';
import { insertTouchedBuckets, touchedRows } from '../src/ledger/touched-buckets.js';
import { newStore } from './store.js';

const start = Date.UTC(2026, 0, 1) / 1_000;
const clockMs = start * 1_000;
const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
const volume = fc.oneof(
  fc.constantFrom(null, '0', '1', '0.000000000000000001', '123456789012345678901234567890.123456789012345678'),
  fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 1, max: 999 })).map(([a, b]) => `${a}.${b}1`),
);
const amount = fc.bigInt({ min: 0n, max: 2n ** 120n - 1n });
const second = fc.integer({ min: start, max: start + 2 * 86_400 });
const legs = fc.uniqueArray(
  fc.record<Leg>({
    minute: second.map((at) => at - (at % 60)),
    jetton: hex.map((digits) => `0:${digits}`),
    pool: fc.oneof(
      fc.constant(''),
      hex.map((digits) => `-1:${digits}`),
    ),
    eventId: hex,
    side: fc.constantFrom('buy', 'sell'),
    eventTime: second,
    counterAsset: fc.constantFrom('ton', `0:${'a'.repeat(64)}`),
    amount,
    counterAmount: amount,
    volumeUsd: volume,
    volumeTon: volume,
    trader: fc.constantFrom('', `0:${'b'.repeat(64)}`),
    project: fc.string({ unit: 'grapheme', maxLength: 200 }),
    txHash: hex,
    revision: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    deleted: fc.boolean(),
    isTrade: fc.boolean(),
    version: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    recordTimestampMs: fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 }),
  }),
  { minLength: 1, maxLength: 30, selector: ({ eventId }) => eventId },
);

/** The rows as texts, which the engine reads by other means. */
const insertTexts = defineInsert<readonly unknown[]>({ ...insertLegs, name: 'insertLegTexts' });
const textOf = (leg: Leg) => [
  leg.minute,
  leg.jetton,
  leg.pool,
  leg.eventId,
  leg.side,
  leg.eventTime,
  leg.counterAsset,
  leg.amount.toString(),
  leg.counterAmount.toString(),
  leg.volumeUsd,
  leg.volumeTon,
  leg.trader,
  leg.project,
  leg.txHash,
  leg.revision,
  Number(leg.deleted),
  Number(leg.isTrade),
  (leg.recordTimestampMs / 1_000).toFixed(3),
  leg.version.toString(),
];
const ledger = defineQuery({
  name: 'wholeLedger',
  sql: `SELECT toString(tuple(*)) AS row FROM jetton_legs_v1 ORDER BY ALL`,
  params: z.object({}),
  row: z.object({ row: z.string() }),
});
const touched = defineQuery({
  name: 'wholeTouched',
  sql: `SELECT kafka_partition, last_offset, jetton, toUnixTimestamp(minute) AS minute_s, pool, toString(written_on) AS written
        FROM touched_buckets_v1 ORDER BY jetton`,
  params: z.object({}),
  row: z.object({
    kafka_partition: z.int(),
    last_offset: z.string(),
    jetton: z.string(),
    minute_s: z.int(),
    pool: z.string(),
    written: z.string(),
  }),
});
const firstTrades = defineQuery({
  name: 'wholeFirstTrades',
  sql: `SELECT jetton, first_trade_s, toUnixTimestamp64Milli(written_at) AS written_ms
        FROM jetton_first_trades_v1 FINAL ORDER BY jetton`,
  params: z.object({}),
  row: z.object({ jetton: z.string(), first_trade_s: z.int(), written_ms: z.string() }),
});

describe('rows of the ledger', () => {
  let binary: ClickHouseWriter;
  let texts: ClickHouseWriter;
  beforeAll(async () => {
    [{ store: binary }, { store: texts }] = await Promise.all([newStore(), newStore()]);
  }, 300_000);
  afterAll(() => Promise.all([binary.close(), texts.close()]));

  it('hold every value of a leg exactly, whatever it is: the same rows as inserted by texts', async () => {
    await fc.assert(
      fc.asyncProperty(legs, async (some) => {
        await Promise.all([
          binary.insertBinary(insertLegs, legRows(some)),
          texts.insert(insertTexts, some.map(textOf)),
        ]);
        expect(await binary.query(ledger, {})).toEqual(await texts.query(ledger, {}));
      }),
      { numRuns: 15 },
    );
  }, 300_000);

  it('name each touched bucket of a batch once, under the batch and the day of the clock', async () => {
    const [leg] = fc.sample(legs, { numRuns: 1, seed: 7 })[0] ?? [];
    if (leg === undefined) throw new Error('no leg');
    const batch = { partition: 3, lastOffset: '9007199254740993', legs: [leg, { ...leg, eventId: 'other' }] };
    await binary.insertBinary(insertTouchedBuckets, touchedRows([batch], Date.UTC(2026, 0, 2, 23, 59)));
    expect(await binary.query(touched, {})).toEqual([
      {
        kafka_partition: 3,
        last_offset: '9007199254740993',
        jetton: leg.jetton,
        minute_s: leg.minute,
        pool: leg.pool,
        written: '2026-01-02',
      },
    ]);
  });

  it('keep the first trade of a jetton: the earliest ever seen that was not retracted, and write nothing for later ones', async () => {
    const [leg] = fc.sample(legs, { numRuns: 1, seed: 8 })[0] ?? [];
    if (leg === undefined) throw new Error('no leg');
    const at = (eventTime: number, isTrade = true) => ({ ...leg, eventTime, isTrade });
    const known = async () => (await binary.query(firstTrades, {})).map((row) => [row.first_trade_s, row.written_ms]);
    const first = new FirstTrades(binary, 10);
    await first.write([at(start + 9, false)], clockMs + 1_000);
    expect(await known()).toEqual([]);
    await first.write([at(start + 5), at(start + 3), at(start + 1, false)], clockMs + 2_000);
    expect(await known()).toEqual([[start + 3, String(clockMs + 2_000)]]);
    await first.write([at(start + 4), at(start + 3)], clockMs + 3_000);
    expect(await known()).toEqual([[start + 3, String(clockMs + 2_000)]]);
    // A writer that starts anew knows nothing: what it writes cannot raise the minimum.
    await new FirstTrades(binary, 10).write([at(start + 8)], clockMs + 4_000);
    expect(await known()).toEqual([[start + 3, String(clockMs + 4_000)]]);
    await first.write([at(start + 2)], clockMs + 5_000);
    expect(await known()).toEqual([[start + 2, String(clockMs + 5_000)]]);
  });
});
