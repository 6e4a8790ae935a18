import { type ClickHouseSettings, createWriter, defineCommand } from '@jetton-analytics/clickhouse';
import { createAssets, feedSettings, nativeAsset } from '@jetton-analytics/feed';
import { rebuild } from '@jetton-analytics/rollups';
import { z } from 'zod';

/** A ledger to be calculated from. */
export interface LedgerShape {
  readonly jettons: number;
  /** How many of them were traded in the last two hours. */
  readonly active: number;
  /** Trades of each, half of them within the last two hours where it is active, the rest over `days`. */
  readonly tradesEach: number;
  readonly days: number;
}

export interface Seeded {
  readonly legs: number;
  readonly rebuildSeconds: number;
}

const daySeconds = 86_400;
const recentSeconds = 7_200;
const traders = 50_000;
const rowsPerStatement = 500_000;

const hash = (seed: number) => `cityHash64(number, ${seed})`;
const isRecent = `(number % {jettons: UInt64} < {active: UInt64} AND ${hash(1)} % 2 = 0)`;
const ageSeconds = `if(${isRecent}, ${hash(2)} % ${recentSeconds}, ${hash(3)} % {reachSeconds: UInt64})`;
const instant = `toDateTime({nowS: UInt64} - 1 - ${ageSeconds}, 'UTC')`;
const address = (kind: string) =>
  `concat('0:', lower(hex(SHA256(concat('${kind}', toString(number % {jettons: UInt64}))))))`;
const volume = (seed: number) => `toDecimal256((${hash(seed)} % 1000000) / 1000, 18)`;

const insertLegs = defineCommand({
  name: 'seedLegs',
  sql: `INSERT INTO jetton_legs_v1
    SELECT toStartOfMinute(${instant}), ${address('jetton')}, ${address('pool')}, lower(hex(SHA256(toString(number)))),
      if(${hash(4)} % 2 = 0, 'buy', 'sell'), ${instant}, 'ton', 1000000 + ${hash(5)} % 1000000000,
      1000000 + ${hash(6)} % 1000000000, ${volume(7)}, ${volume(8)}, concat('0:', toString(${hash(9)} % ${traders})), 'dedust',
      lower(hex(SHA256(toString(number)))), 0, 0, 1, toDateTime64({nowS: UInt64}, 3, 'UTC'), toUInt256(1 + ${hash(10)})
    FROM numbers({first: UInt64}, {count: UInt64})`,
  params: z.object({
    nowS: z.int(),
    first: z.int(),
    count: z.int(),
    reachSeconds: z.int(),
    jettons: z.int(),
    active: z.int(),
  }),
});

/** Writes a ledger up to `nowS`, without rollups, numbered from `begin` on; returns how many legs it has. */
export async function seedLegs(
  settings: ClickHouseSettings,
  shape: LedgerShape,
  nowS: number,
  begin = 0,
): Promise<number> {
  const store = writerOf(settings);
  try {
    const { jettons, active, tradesEach, days } = shape;
    const legs = jettons * tradesEach;
    const reachSeconds = Math.round(days * daySeconds);
    for (let first = 0; first < legs; first += rowsPerStatement) {
      const count = Math.min(rowsPerStatement, legs - first);
      await store.command(insertLegs, { nowS, first: begin + first, count, reachSeconds, jettons, active });
    }
    return legs;
  } finally {
    await store.close();
  }
}

/** Writes a ledger up to `nowS` and its rollups, as the operator's rebuild makes them. */
export async function seedLedger(settings: ClickHouseSettings, shape: LedgerShape, nowS: number): Promise<Seeded> {
  const legs = await seedLegs(settings, shape, nowS);
  const store = writerOf(settings);
  try {
    const assets = createAssets(z.object(feedSettings).parse({}));
    const startedMs = performance.now();
    const range = { from: nowS - shape.days * daySeconds - 60, to: nowS + 60 };
    await rebuild(store, range, {
      quoteAssets: [nativeAsset, ...assets.stables, ...assets.lsds],
      priceMinTradeUsd: '1',
      by: 'benchmark',
      reason: 'the first',
      nowS,
    });
    return { legs, rebuildSeconds: (performance.now() - startedMs) / 1_000 };
  } finally {
    await store.close();
  }
}

const writerOf = (settings: ClickHouseSettings) =>
  createWriter({ ...settings, CLICKHOUSE_TIMEOUT_MS: 600_000 }, { application: 'benchmark', lane: 'snapshot' });
