import {
  type ClickHouseWriter,
  createWriter,
  defineCommand,
  defineInsert,
  migrate,
} from '@jetton-analytics/clickhouse';
import { type Step, windows } from '@jetton-analytics/figures';
import { sharedClickHouse, uniqueName } from '@jetton-analytics/testing';
import { z } from 'zod';

const insertTerm = defineInsert<readonly [term: number, clock: string, leader: string, startedAt: number]>({
  name: 'insertTerm',
  table: 'snapshot_terms_v1',
  columns: ['term', 'clock', 'leader', 'started_at'],
});
const insertJettons = defineInsert<readonly [number, string, Step, number, string, number, readonly unknown[]]>({
  name: 'insertJettons',
  table: 'jetton_statistics_v1',
  columns: ['term', 'jetton', 'step', 'slot', 'version', 'known', 'windows'],
});
const insertMarkets = defineInsert<
  readonly [number, string, string, Step, number, string, number, string, readonly unknown[]]
>({
  name: 'insertMarkets',
  table: 'market_statistics_v1',
  columns: ['term', 'jetton', 'pool', 'step', 'slot', 'version', 'known', 'counterpart', 'windows'],
});
const insertMarker = defineInsert<readonly [number, Step, string, number, number, number, string, string]>({
  name: 'insertMarker',
  table: 'snapshot_markers_v1',
  columns: ['term', 'step', 'version', 'calculated_at', 'as_of', 'row_count', 'input_position', 'marked_on'],
});
const insertInput = defineInsert<readonly [string, string, number, string]>({
  name: 'insertInput',
  table: 'input_status_v2',
  columns: ['topic', 'status', 'as_of', 'version'],
});

const none = z.object({});
const dropTradedMinutes = defineCommand({
  name: 'dropTradedMinutes',
  sql: 'DROP TABLE pool_trades_per_minute_v1 SYNC',
  params: none,
});
const price = ['1500000000', 9];
const noPrice = ['0', 6];

/** Windows of a step for a jetton: `count` buys and one sell in the current window of each, nothing in the previous. */
const jettonWindows = (step: Step, count: number): unknown[] =>
  windows
    .filter((window) => window.step === step)
    .map(({ name }) => {
      const counts = [String(count), '0', '1', '0', '2', '0', '2', '0', '1', '0'];
      const volumes = ['10.5', '0', '1.25', '0', '2', '0', '0.1', '0'];
      return [name, ...counts, ...volumes, price, price, noPrice, noPrice];
    });

const marketWindows = (step: Step, count: number): unknown[] =>
  windows
    .filter((window) => window.step === step)
    .map(({ name }) => [name, String(count), '2', '1', '1', '3.5', '7', price, price]);

export interface SnapshotSeed {
  readonly term: number;
  readonly step: Step;
  /** Unix seconds. */
  readonly calculatedAt: number;
  readonly sequence: number;
  readonly slot?: 0 | 1;
  /** Count by jetton; null: no longer known. */
  readonly jettons?: Readonly<Record<string, number | null>>;
  /** Count by `jetton|pool`. */
  readonly markets?: Readonly<Record<string, number | null>>;
}

const versionOf = ({ calculatedAt, term, sequence }: SnapshotSeed): string =>
  ((BigInt(calculatedAt) << 64n) | (BigInt(term) << 32n) | BigInt(sequence)).toString();

/** Writes snapshots as a leader does, into a database of its own on the engine of the test run. */
export class SnapshotSeeder {
  private constructor(
    readonly settings: Readonly<Record<string, string>>,
    readonly writer: ClickHouseWriter,
  ) {}

  static async create(): Promise<SnapshotSeeder> {
    const { url } = await sharedClickHouse();
    const own = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: uniqueName('statistics').replaceAll('-', '_') };
    const settings = { ...own, CLICKHOUSE_USER: 'default', CLICKHOUSE_PASSWORD: '', CLICKHOUSE_TIMEOUT_MS: 60_000 };
    await migrate(settings);
    return new SnapshotSeeder(own, createWriter(settings, { application: 'spec' }));
  }

  /** Takes away the table of traded minutes, with which reads of history begin. */
  async loseHistory(): Promise<void> {
    await this.writer.command(dropTradedMinutes, {});
  }

  async term(term: number, clock: string): Promise<void> {
    await this.writer.insert(insertTerm, [[term, clock, 'spec', 0]]);
  }

  async rows(seed: SnapshotSeed): Promise<void> {
    const { term, step, slot = 0, jettons = {}, markets = {} } = seed;
    const version = versionOf(seed);
    await this.writer.insert(
      insertJettons,
      Object.entries(jettons).map(([jetton, count]) => {
        const rows = count === null ? [] : jettonWindows(step, count);
        return [term, jetton, step, slot, version, count === null ? 0 : 1, rows] as const;
      }),
    );
    await this.writer.insert(
      insertMarkets,
      Object.entries(markets).map(([key, count]) => {
        const [jetton = '', pool = ''] = key.split('|');
        const rows = count === null ? [] : marketWindows(step, count);
        return [term, jetton, pool, step, slot, version, count === null ? 0 : 1, 'ton', rows] as const;
      }),
    );
  }

  async mark(seed: SnapshotSeed): Promise<void> {
    const { term, step, calculatedAt } = seed;
    await this.writer.insert(insertMarker, [
      [term, step, versionOf(seed), calculatedAt, calculatedAt + 1, 1, '42', '2026-01-01'],
    ]);
  }

  /** Rows and marker of one snapshot. */
  async snapshot(seed: SnapshotSeed): Promise<void> {
    await this.rows(seed);
    await this.mark(seed);
  }

  async input(status: object, asOf: number, writtenMs: number): Promise<void> {
    await this.writer.insert(insertInput, [['trades', JSON.stringify(status), asOf, String(writtenMs)]]);
  }

  async close(): Promise<void> {
    await this.writer.command(
      { name: 'drop', sql: `DROP DATABASE ${this.settings['CLICKHOUSE_DATABASE']}`, params: none },
      {},
    );
    await this.writer.close();
  }
}
