import { type ClickHouseWriter, defineInsert } from '@jetton-analytics/clickhouse';
import { type Step, type WindowA, windows, windowsB } from '@jetton-analytics/figures';
import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { type DayRate, importRates } from '@jetton-analytics/rates';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import { SnapshotSeeder } from '../../../packages/read-model/test/seed-snapshots.js';

type Pair = readonly [current: string, previous: string];
type PriceTuple = readonly [value: string, decimals: number];

/** What a leader would have calculated of a jetton for one window. */
export interface SeededWindow {
  readonly transactionsBuy: Pair;
  readonly transactionsSell: Pair;
  readonly traders: Pair;
  readonly tradersBuy: Pair;
  readonly tradersSell: Pair;
  readonly volumeUsdBuy: Pair;
  readonly volumeUsdSell: Pair;
  readonly volumeTonBuy: Pair;
  readonly volumeTonSell: Pair;
  readonly priceTon: readonly [PriceTuple, PriceTuple];
  readonly priceUsd: readonly [PriceTuple, PriceTuple];
  /** volume_usd by UTC day: half, day, buy, sell. */
  readonly usdByDay: readonly (readonly ['current' | 'previous', string, string, string])[];
}

export interface SeededJetton {
  readonly address: string;
  /** Without it no trade is known of the jetton. */
  readonly windows?: (window: WindowA) => SeededWindow;
  /** Without it no metadata is known. */
  readonly metadata?: {
    readonly name?: string;
    readonly symbol?: string;
    readonly admin?: string;
    readonly createdAt?: number;
    readonly totalSupply?: string;
  };
  readonly verification?: string;
  readonly liquidityUsd?: string;
  readonly liquidityTon?: string;
  readonly holders?: number;
}

const insertJettons = defineInsert<readonly [number, string, Step, number, string, number, unknown, unknown]>({
  name: 'insertJettons',
  table: 'jetton_statistics_v1',
  columns: ['term', 'jetton', 'step', 'slot', 'version', 'known', 'windows', 'usd_by_day'],
});
const insertPools = defineInsert<
  readonly [string, string, string, string, string | null, string | null, number, string, string, string]
>({
  name: 'insertPools',
  table: 'pool_states_v1',
  columns: [
    'pool',
    'project',
    'left_asset',
    'right_asset',
    'tvl_usd',
    'tvl_ton',
    'last_updated_s',
    'record_time',
    'version',
    'written_at',
  ],
});
const insertHolders = defineInsert<
  readonly [string, number, number, string, string, readonly string[], number, string, string]
>({
  name: 'insertHolders',
  table: 'jetton_holder_buckets_v1',
  columns: [
    'asset',
    'shard',
    'holders',
    'balance_sum',
    'burned_sum',
    'top_ten',
    'newest_timestamp_s',
    'version',
    'written_at',
  ],
});

const term = 1;
const written = '2025-10-09 08:00:00.000';

const windowTuple = (name: WindowA, seeded: SeededWindow): unknown[] => [
  name,
  ...seeded.transactionsBuy,
  ...seeded.transactionsSell,
  ...seeded.traders,
  ...seeded.tradersBuy,
  ...seeded.tradersSell,
  ...seeded.volumeUsdBuy,
  ...seeded.volumeUsdSell,
  ...seeded.volumeTonBuy,
  ...seeded.volumeTonSell,
  ...seeded.priceTon,
  ...seeded.priceUsd,
];

/** The pool that holds a jetton's liquidity. */
export const poolOf = (address: string): string => `0:9${address.slice(3)}`;

/** Both stores with everything that the statistics app reads, in databases of their own on the stores of the test run. */
export class SeededMarket {
  private constructor(
    readonly seeder: SnapshotSeeder,
    readonly database: ReturnType<typeof createDataSource>,
    readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async create(): Promise<SeededMarket> {
    const [seeder, { url }] = await Promise.all([SnapshotSeeder.create(), sharedPostgres()]);
    const admin = await createDataSource(url, { application: 'spec' }).initialize();
    const name = uniqueName('statistics');
    await admin.query(`CREATE DATABASE "${name}"`);
    await admin.destroy();
    const own = new URL(url);
    own.pathname = `/${name}`;
    await migrate(own.toString());
    const database = await createDataSource(own.toString(), { application: 'spec' }).initialize();
    await seeder.term(term, 'wall');
    return new SeededMarket(seeder, database, { ...seeder.settings, DATABASE_URL: own.toString() });
  }

  private get writer(): ClickHouseWriter {
    return this.seeder.writer;
  }

  /** One snapshot of each step. `sequence` must rise. */
  async snapshots(
    jettons: readonly SeededJetton[],
    calculatedAt: Readonly<Record<Step, number>>,
    sequence = 1,
  ): Promise<void> {
    for (const step of ['short', 'mid', 'long'] as const) {
      const seed = { term, step, calculatedAt: calculatedAt[step], sequence };
      const version = ((BigInt(seed.calculatedAt) << 64n) | (BigInt(term) << 32n) | BigInt(sequence)).toString();
      const own = windows.filter((window) => window.step === step).map(({ name }) => name);
      const rows = jettons.flatMap(({ address, windows: seeded }) => {
        if (seeded === undefined) return [];
        const tuples = own.map((name) => windowTuple(name, seeded(name)));
        const counted = own.filter((name) => windowsB.some((window) => window === name));
        const days = counted.flatMap((name) => seeded(name).usdByDay.map((day) => [name, ...day]));
        return [[term, address, step, sequence % 2, version, 1, tuples, days] as const];
      });
      await this.writer.insert(insertJettons, rows);
      await this.seeder.mark(seed);
    }
  }

  /** Everything else that is known of the jettons. */
  async facts(jettons: readonly SeededJetton[]): Promise<void> {
    const pools = jettons.filter(({ liquidityUsd }) => liquidityUsd !== undefined);
    await this.writer.insert(
      insertPools,
      pools.map(({ address, liquidityUsd = null, liquidityTon = null }) => {
        const pool = poolOf(address);
        return [pool, 'dex', address, 'ton', liquidityUsd, liquidityTon, 1, written, '1', written] as const;
      }),
    );
    const held = jettons.flatMap(({ address, holders }) => (holders === undefined ? [] : [{ address, holders }]));
    await this.writer.insert(
      insertHolders,
      held.map(({ address, holders }) => [address, 0, holders, '1000', '0', ['10'], 1, '1', written] as const),
    );
    for (const { address, metadata, verification } of jettons) {
      if (metadata !== undefined) {
        await this.database.query(
          `INSERT INTO jetton_metadata (address, name, symbol, admin, created_at_s, total_supply, decimals,
             earliest_record_s, update_time_s) VALUES ($1, $2, $3, $4, $5, $6, 9, 1, 1)`,
          [
            address,
            metadata.name ?? null,
            metadata.symbol ?? null,
            metadata.admin ?? null,
            metadata.createdAt ?? null,
            metadata.totalSupply ?? null,
          ],
        );
      }
      if (verification !== undefined) {
        await this.database.query(
          `INSERT INTO jetton_labels (address, verification, set_by, set_at, reason) VALUES ($1, $2, 'spec', now(), 'x')`,
          [address, verification],
        );
      }
    }
  }

  async rates(rows: Iterable<DayRate>): Promise<void> {
    await importRates(this.database, rows, { by: 'spec', source: 'spec' });
  }

  async close(): Promise<void> {
    await this.database.destroy();
    await this.seeder.close();
  }
}
