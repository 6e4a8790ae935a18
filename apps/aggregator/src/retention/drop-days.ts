import { type ClickHouseWriter, defineCommand, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { keepCountingMinutes, keepLastTrades, keepMarkets, keepPricePoints } from './keep-inputs.command.js';

const daySeconds = 86_400;

// The ledger first: minute rows live at least as long as it does.
const tables = ['jetton_legs_v1', 'jetton_trades_per_minute_v1', 'pool_trades_per_minute_v1'] as const;

const storedDays = defineQuery({
  name: 'storedDays',
  sql: `SELECT DISTINCT table, toUInt32(partition) AS day FROM system.parts
        WHERE database = currentDatabase() AND active AND table IN {tables: Array(String)}
        ORDER BY day`,
  params: z.object({ tables: z.array(z.string()) }),
  row: z.object({ table: z.enum(tables), day: z.int() }),
});

const dropDay = (table: (typeof tables)[number]) =>
  defineCommand({
    name: `${table}DropDay`,
    sql: `ALTER TABLE ${table} DROP PARTITION {day: UInt32}`,
    params: z.object({ day: z.int() }),
  });

/** The day as partitions are called, 20260310. */
const partitionOf = (seconds: number) =>
  Number(new Date(seconds * 1_000).toISOString().slice(0, 10).replaceAll('-', ''));

const startOf = (day: number) => {
  const text = String(day);
  return Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6))) / 1_000;
};

/**
 * Drops the ledger and the minute rows of the days that ended at or before `keptFrom` (start of a UTC day, Unix seconds),
 * oldest first, each after what prices and markets need of it was kept. Returns the number of days. Safe to repeat after
 * an error at any point, and to run twice at once: what is kept already is found again.
 */
export async function dropDays(store: ClickHouseWriter, keptFrom: number, assertLeading: () => void): Promise<number> {
  const firstKept = partitionOf(keptFrom);
  const stored = (await store.query(storedDays, { tables: [...tables] })).filter(({ day }) => day < firstKept);
  const days = Map.groupBy(stored, ({ day }) => day);
  for (const [day, parts] of days) {
    const from = startOf(day);
    const range = { from, to: from + daySeconds };
    for (const keep of [keepMarkets, keepLastTrades, keepPricePoints, keepCountingMinutes]) {
      assertLeading();
      await store.command(keep, range);
    }
    for (const table of tables) {
      assertLeading();
      if (parts.some((part) => part.table === table)) await store.command(dropDay(table), { day });
    }
  }
  return days.size;
}
