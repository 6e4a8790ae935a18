import { type ClickHouseWriter, defineCommand } from '@jetton-analytics/clickhouse';
import { type Step, windows } from '@jetton-analytics/figures';
import { z } from 'zod';

const count = z.object({ count: z.int() });
const address = (seed: string) => `concat('0:', lower(hex(SHA256(${seed}))))`;
const jetton = address("concat('jetton', toString(number))");
const pool = address("concat('pool', toString(number))");
const text = (value: string) => `toDecimal256(${value}, 18)`;
const some = (range: number, seed: number) => `toUInt64(cityHash64(number, ${seed}) % ${range})`;
const price = (seed: number) => `tuple(toString(${some(999_999_999_999, seed)} + 1), toUInt8(15))`;

/** Figures of a window, of a jetton that is traded now and then. */
const jettonTuple = [
  'w',
  ...Array.from({ length: 10 }, (_, index) => some(900, index)),
  ...Array.from({ length: 8 }, (_, index) => text(`${some(1_000_000, index + 20)} / 7`)),
  ...[40, 41, 42, 43].map(price),
].join(', ');
const marketTuple = [
  'w',
  ...Array.from({ length: 4 }, (_, index) => some(900, index)),
  ...Array.from({ length: 2 }, (_, index) => text(`${some(1_000_000, index + 20)} / 7`)),
  ...[40, 41].map(price),
].join(', ');

const namesOf = (step: Step) =>
  `[${windows
    .filter((window) => window.step === step)
    .map(({ name }) => `'${name}'`)
    .join(', ')}]`;
const daysOf: Readonly<Record<Step, number>> = { short: 2, mid: 4, long: 20 };

function insertJettons(step: Step, version: string) {
  const days = `arrayMap(d -> tuple('${step === 'long' ? 'month' : step === 'mid' ? 'day' : 'hour'}', 'current', toDate(20000 + d), ${text(`${some(1_000_000, 50)} / 7`)}, ${text('d')}), range(${daysOf[step]}))`;
  return defineCommand({
    name: 'seedJettons',
    sql: `INSERT INTO jetton_statistics_v1 (term, jetton, step, slot, version, known, windows, price_changed_at_ton,
            price_changed_at_usd, usd_by_day)
          SELECT 1, ${jetton}, '${step}', 0, ${version}, 1, arrayMap(w -> tuple(${jettonTuple}), ${namesOf(step)}),
                 toDateTime(1700000000, 'UTC'), toDateTime(1700000000, 'UTC'), ${days}
          FROM numbers({count: UInt64})`,
    params: count,
  });
}

function insertMarkets(step: Step, version: string) {
  return defineCommand({
    name: 'seedMarkets',
    sql: `INSERT INTO market_statistics_v1 (term, jetton, pool, step, slot, version, known, counterpart, windows)
          SELECT 1, ${jetton}, ${pool}, '${step}', 0, ${version}, 1, 'ton', arrayMap(w -> tuple(${marketTuple}), ${namesOf(step)})
          FROM numbers({count: UInt64})`,
    params: count,
  });
}

const insertPools = defineCommand({
  name: 'seedPools',
  sql: `INSERT INTO pool_states_v1 (pool, project, left_asset, right_asset, reserves_left, reserves_right, tvl_usd, tvl_ton,
          last_updated_s, version, written_at)
        SELECT ${pool}, 'dedust', ${jetton}, 'ton', ${some(1_000_000_000, 60)}, ${some(1_000_000_000_000, 61)},
               if(number % 2 = 0, ${text(some(1_000_000, 62))}, NULL), if(number % 2 = 0, ${text(some(1_000_000, 63))}, NULL),
               1700000000, 1, toDateTime64(1700000000, 3, 'UTC')
        FROM numbers({count: UInt64})`,
  params: count,
});
const insertHolders = defineCommand({
  name: 'seedHolders',
  sql: `INSERT INTO jetton_holder_buckets_v1
        SELECT ${jetton}, shard, ${some(100, 70)} + 1, ${some(1_000_000_000_000, 71)}, 0,
               arrayMap(i -> toUInt256(1000000 - i), range(10)), 1700000000, 1, toDateTime64(1700000000, 3, 'UTC')
        FROM numbers({count: UInt64}) ARRAY JOIN range(16) AS shard`,
  params: count,
});
const insertFirstTrades = defineCommand({
  name: 'seedFirstTrades',
  sql: `INSERT INTO jetton_first_trades_v1 (jetton, first_trade_s, written_at)
        SELECT ${jetton}, 1690000000 + ${some(10_000_000, 80)}, toDateTime64(1700000000, 3, 'UTC')
        FROM numbers({count: UInt64})`,
  params: count,
});

/** Rows of many jettons, each with a pool, made inside the store. */
export async function seedMany(writer: ClickHouseWriter, jettons: number, step: Step, version: bigint): Promise<void> {
  await writer.command(insertJettons(step, String(version)), { count: jettons });
  await writer.command(insertMarkets(step, String(version)), { count: jettons });
}

export async function seedManyInputs(writer: ClickHouseWriter, jettons: number): Promise<void> {
  for (const insert of [insertPools, insertHolders, insertFirstTrades])
    await writer.command(insert, { count: jettons });
}
