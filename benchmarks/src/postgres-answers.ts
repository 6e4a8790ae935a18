import { createDataSource } from '@jetton-analytics/postgres';
import { cpuSeconds } from './figures.js';

const windowsOf: Readonly<Record<string, readonly string[]>> = {
  short: ['min15', 'hour'],
  mid: ['hour6', 'hour12', 'day'],
  long: ['week', 'month'],
};
// Counts, sums and prices of a window, each with that of the half before.
const figuresPerWindow = 22;

/**
 * The same figures in a table of PostgreSQL with the usual indexes: what one would do without a read model. One connection,
 * whose process's CPU is what an answer costs.
 */
export class PostgresAnswers {
  readonly #database;

  constructor(
    url: string,
    private readonly jettons: number,
  ) {
    this.#database = createDataSource(url, {
      application: 'benchmark',
      connectionsMax: 1,
      statementTimeoutMs: 600_000,
    });
  }

  async write(): Promise<void> {
    await this.#database.initialize();
    await this.#database.query(
      `CREATE TABLE bench_statistics (jetton text NOT NULL, step text NOT NULL, windows jsonb NOT NULL,
         volume_24h numeric NOT NULL, holders bigint NOT NULL, PRIMARY KEY (jetton, step))`,
    );
    for (const [step, windows] of Object.entries(windowsOf)) {
      await this.#database.query(
        `INSERT INTO bench_statistics
         SELECT '0:' || encode(sha256(('jetton' || n)::bytea), 'hex'), $1,
                (SELECT jsonb_object_agg(w, (SELECT jsonb_object_agg('figure' || i, abs(hashint8(n * 31 + i)) || '.000001')
                                             FROM generate_series(1, ${figuresPerWindow}) AS i))
                 FROM unnest($2::text[]) AS w),
                abs(hashint8(n * 7)), abs(hashint8(n * 11)) % 1600
         FROM generate_series(0, $3::bigint - 1) AS n`,
        [step, windows, this.jettons],
      );
    }
    await this.#database.query('CREATE INDEX ON bench_statistics (step, volume_24h DESC)');
    await this.#database.query('CREATE INDEX ON bench_statistics (step, holders)');
    await this.#database.query('ANALYZE bench_statistics');
  }

  /** Microseconds of the server's CPU for one answer: a jetton's figures, or those of the first 20 of a list. */
  async microseconds(kind: 'one' | 'list', jetton: string, times: number): Promise<number> {
    const ask = () =>
      kind === 'one'
        ? this.#database.query('SELECT step, windows FROM bench_statistics WHERE jetton = $1', [jetton])
        : this.#database.query(
            `SELECT all_steps.jetton, all_steps.step, all_steps.windows
             FROM (SELECT jetton FROM bench_statistics WHERE step = 'mid' AND holders >= 900
                   ORDER BY volume_24h DESC LIMIT 20) AS found JOIN bench_statistics AS all_steps USING (jetton)`,
          );
    await ask();
    // Of the connection that is open now: an idle one is closed.
    const [row] = await this.#database.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
    const pid = row?.pid ?? 0;
    const before = cpuSeconds(pid);
    for (let time = 0; time < times; time += 1) await ask();
    return ((cpuSeconds(pid) - before) / times) * 1e6;
  }

  async close(): Promise<void> {
    if (this.#database.isInitialized) await this.#database.destroy();
  }
}
