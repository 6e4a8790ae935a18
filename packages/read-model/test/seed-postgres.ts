import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';

/** A database of its own on the PostgreSQL of the test run, with every table. */
export class SeededPostgres {
  private constructor(
    readonly url: string,
    private readonly dataSource: ReturnType<typeof createDataSource>,
  ) {}

  static async create(): Promise<SeededPostgres> {
    const server = await sharedPostgres();
    const admin = await createDataSource(server.url, { application: 'spec' }).initialize();
    const name = uniqueName('read_model');
    await admin.query(`CREATE DATABASE "${name}"`);
    await admin.destroy();
    const own = new URL(server.url);
    own.pathname = `/${name}`;
    await migrate(own.toString());
    return new SeededPostgres(
      own.toString(),
      await createDataSource(own.toString(), { application: 'spec' }).initialize(),
    );
  }

  /** Columns by name; the others are null. */
  async metadata(address: string, columns: Readonly<Record<string, string | number | boolean>>): Promise<void> {
    const row = { address, earliest_record_s: 1_600_000_000, update_time_s: 1, ...columns };
    const names = Object.keys(row);
    await this.dataSource.query(
      `INSERT INTO jetton_metadata (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
       ON CONFLICT (address) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      Object.values(row),
    );
  }

  /** Metadata of the jettons of `seedMany`. */
  async manyMetadata(count: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO jetton_metadata (address, name, symbol, description, image, decimals, mintable, total_supply,
         earliest_record_s, update_time_s)
       SELECT '0:' || encode(sha256(('jetton' || n)::bytea), 'hex'), 'A jetton named ' || n, 'J' || n,
              'What it is for, in about a hundred characters or so, number ' || n, 'https://images.example/' || n || '.png',
              9, false, 1000000000000000, 1600000000, 1
       FROM generate_series(0, $1::int - 1) AS n`,
      [count],
    );
  }

  async label(address: string, verification: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO jetton_labels (address, verification, set_by, set_at, reason)
       VALUES ($1, $2, 'spec', now(), 'spec')
       ON CONFLICT (address) DO UPDATE SET verification = excluded.verification`,
      [address, verification],
    );
  }

  async rate(day: string, currency: string, rate: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO fx_rates (day, currency, rate, source, set_by, set_at) VALUES ($1, $2, $3, 'spec', 'spec', now())
       ON CONFLICT (day, currency) DO UPDATE SET rate = excluded.rate`,
      [day, currency, rate],
    );
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }
}
