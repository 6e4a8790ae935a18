import {
  type ClickHouseSettings,
  type ClickHouseWriter,
  createWriter,
  defineCommand,
} from '@jetton-analytics/clickhouse';
import { createDataSource } from '@jetton-analytics/postgres';
import { z } from 'zod';

const steps = {
  short: { windows: ['min15', 'hour'], day: 'hour', days: 2 },
  mid: { windows: ['hour6', 'hour12', 'day'], day: 'day', days: 4 },
  long: { windows: ['week', 'month'], day: 'month', days: 20 },
} as const;
type Step = keyof typeof steps;
const stepNames = ['short', 'mid', 'long'] as const satisfies readonly Step[];

const hashed = (kind: string) => `concat('0:', lower(hex(SHA256(concat('${kind}', toString(number))))))`;
const some = (range: number, seed: number) => `toUInt64(cityHash64(number, ${seed}, {version: String}) % ${range})`;
// One that was not traded has zeros in its windows and the same price in all of them, as the aggregator writes it.
const isActive = 'number < {active: UInt64}';
const traded = (value: string) => `if(${isActive}, ${value}, 0)`;
const decimal = (seed: number) => `toDecimal256(${traded(`${some(1_000_000, seed)} / 7`)}, 18)`;
const price = (seed: number) =>
  `tuple(toString(if(${isActive}, ${some(999_999_999_999, seed)}, ${some(999_999_999_999, 40)}) + 1), toUInt8(15))`;
const columns = (counts: number, decimals: number, prices: number) =>
  [
    ...Array.from({ length: counts }, (_, index) => traded(some(900, index))),
    ...Array.from({ length: decimals }, (_, index) => decimal(index + 20)),
    ...Array.from({ length: prices }, (_, index) => price(index + 40)),
  ].join(', ');

const rowParams = z.object({
  version: z.bigint().transform(String),
  slot: z.int(),
  first: z.int(),
  count: z.int(),
  active: z.int(),
});
const numbers = 'FROM numbers({first: UInt64}, {count: UInt64})';
const key = 'toUInt32(1) AS term';

function insertJettons(step: Step) {
  const { windows, day, days } = steps[step];
  const names = `['${windows.join("', '")}']`;
  return defineCommand({
    name: 'seedJettons',
    sql: `INSERT INTO jetton_statistics_v1 (term, jetton, step, slot, version, known, windows, price_changed_at_ton,
            price_changed_at_usd, usd_by_day)
          SELECT ${key}, ${hashed('jetton')}, '${step}', {slot: UInt8}, toUInt128({version: String}), 1,
                 arrayMap(w -> tuple(w, ${columns(10, 8, 4)}), ${names}), now(), now(),
                 arrayMap(d -> tuple('${day}', 'current', toDate(20000 + d), ${decimal(50)}, ${decimal(51)}),
                   range(if(${isActive}, ${days}, 0)))
          ${numbers}`,
    params: rowParams,
  });
}

function insertMarkets(step: Step) {
  const names = `['${steps[step].windows.join("', '")}']`;
  return defineCommand({
    name: 'seedMarkets',
    sql: `INSERT INTO market_statistics_v1 (term, jetton, pool, step, slot, version, known, counterpart, windows)
          SELECT ${key}, ${hashed('jetton')}, ${hashed('pool')}, '${step}', {slot: UInt8}, toUInt128({version: String}), 1,
                 'ton', arrayMap(w -> tuple(w, ${columns(4, 2, 2)}), ${names})
          ${numbers}`,
    params: rowParams,
  });
}

const insertMarker = (step: Step) =>
  defineCommand({
    name: 'seedMarker',
    sql: `INSERT INTO snapshot_markers_v1
          SELECT 1, '${step}', toUInt128({version: String}), toDateTime({c: UInt32}), toDateTime({c: UInt32}), {rows: UInt32}, 0, today()`,
    params: z.object({ version: z.bigint().transform(String), c: z.int(), rows: z.int() }),
  });

const none = z.object({});
const rangeParams = z.object({ first: z.int(), count: z.int() });
const fixed = (range: number, seed: number) => `toUInt64(cityHash64(number, ${seed}) % ${range})`;
const insertTerm = defineCommand({
  name: 'seedTerm',
  sql: `INSERT INTO snapshot_terms_v1 SELECT 1, 'wall', 'benchmark', now()`,
  params: none,
});
const inputs = [
  `INSERT INTO pool_states_v1 (pool, project, left_asset, right_asset, reserves_left, reserves_right, tvl_usd, tvl_ton,
     last_updated_s, version, written_at)
   SELECT ${hashed('pool')}, 'dedust', ${hashed('jetton')}, 'ton', ${fixed(1_000_000_000, 60)}, ${fixed(1_000_000_000_000, 61)},
          if(number % 2 = 0, toDecimal256(${fixed(1_000_000, 62)}, 18), NULL),
          if(number % 2 = 0, toDecimal256(${fixed(1_000_000, 63)}, 18), NULL), 1700000000, 1, now64(3)
   ${numbers}`,
  `INSERT INTO jetton_holder_buckets_v1
   SELECT ${hashed('jetton')}, shard, ${fixed(100, 70)} + 1, ${fixed(1_000_000_000_000, 71)}, 0,
          arrayMap(i -> toUInt256(1000000 - i), range(10)), 1700000000, 1, now64(3)
   ${numbers} ARRAY JOIN range(16) AS shard`,
  `INSERT INTO jetton_first_trades_v1 (jetton, first_trade_s, written_at)
   SELECT ${hashed('jetton')}, 1690000000 + ${fixed(10_000_000, 80)}, now64(3) ${numbers}`,
].map((sql) => defineCommand({ name: 'seedInputs', sql, params: rangeParams }));

const rowsPerStatement = 100_000;

/** As many numbers from one on, in ranges that a statement writes well within its time and memory. */
function rangesOf(first: number, count: number): z.infer<typeof rangeParams>[] {
  return Array.from({ length: Math.ceil(count / rowsPerStatement) }, (_, index) => {
    const begun = index * rowsPerStatement;
    return { first: first + begun, count: Math.min(rowsPerStatement, count - begun) };
  });
}

const versionOf = (c: number, sequence: number) => (BigInt(c) << 64n) | (1n << 32n) | BigInt(sequence);

/** A read model's worth of rows, written as the aggregator writes them, and a market that moves. */
export class ReadSeed {
  readonly #writer: ClickHouseWriter;
  #sequence = 1;

  constructor(
    settings: ClickHouseSettings,
    private readonly postgresUrl: string,
    private readonly jettons: number,
    /** The first so many of them are traded in every window, the others in none. */
    private readonly active = jettons,
  ) {
    this.#writer = createWriter(
      { ...settings, CLICKHOUSE_TIMEOUT_MS: 300_000 },
      { application: 'benchmark', lane: 'write' },
    );
  }

  /** `jettons` of them, each with a market, holders, a first trade and metadata. */
  async write(nowS: number): Promise<void> {
    await this.#writer.command(insertTerm, {});
    for (const step of stepNames) await this.#publish(step, nowS, 0, this.jettons);
    for (const range of rangesOf(0, this.jettons)) {
      for (const insert of inputs) await this.#writer.command(insert, range);
    }
    await this.#writeMetadata();
  }

  /** Another snapshot of the short step, in which `moved` jettons differ. */
  async move(nowS: number, moved: number): Promise<void> {
    await this.#publish('short', nowS, (this.#sequence * moved) % Math.max(1, this.active - moved), moved);
  }

  async #publish(step: Step, c: number, first: number, rows: number): Promise<void> {
    this.#sequence += 1;
    const version = versionOf(c, this.#sequence);
    for (const range of rangesOf(first, rows)) {
      const params = { version, slot: this.#sequence % 2, active: this.active, ...range };
      await this.#writer.command(insertJettons(step), params);
      await this.#writer.command(insertMarkets(step), params);
    }
    await this.#writer.command(insertMarker(step), { version, c, rows: 2 * rows });
  }

  async #writeMetadata(): Promise<void> {
    const database = await createDataSource(this.postgresUrl, { application: 'benchmark' }).initialize();
    const batch = 5_000;
    for (let first = 0; first < this.jettons; first += batch) {
      await database.query(
        `INSERT INTO jetton_metadata (address, name, symbol, description, image, decimals, mintable, total_supply,
           earliest_record_s, update_time_s)
         SELECT '0:' || encode(sha256(('jetton' || n)::bytea), 'hex'), 'A jetton named ' || n, 'J' || n,
                'What it is for, in about a hundred characters or so, number ' || n,
                'https://images.example/' || n || '.png', 9, false, 1000000000000000, 1600000000, 1
         FROM generate_series($1::int, $2::int) AS n`,
        [first, Math.min(first + batch, this.jettons) - 1],
      );
    }
    await database.destroy();
  }

  async close(): Promise<void> {
    await this.#writer.close();
  }
}
