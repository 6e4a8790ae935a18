import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { clusterMigration, clusterStatement } from './cluster.js';
import { readMigrations } from './migrate.js';

const cluster = { name: 'main', database: 'jettons' };

describe('migrations on a cluster', () => {
  it('are to the letter what test/cluster.golden.sql says, for every statement of every migration', async () => {
    const migrations = await readMigrations();
    const text = migrations
      .map(({ name, statements }) => {
        const made = statements.flatMap((statement) => clusterMigration(statement, cluster));
        return `-- ${name}\n${made.map((statement) => `${statement};\n`).join('\n')}`;
      })
      .join('\n');
    expect(text).toBe(readFileSync(new URL('../test/cluster.golden.sql', import.meta.url), 'utf8'));
  });

  it('keep a bucket in one shard, and what every statement reads on every node', async () => {
    const statements = (await readMigrations()).flatMap((migration) => migration.statements);
    const made = statements.flatMap((statement) => clusterMigration(statement, cluster)).join('\n');
    expect(made).toContain("Distributed('main', 'jettons', 'jetton_legs_v1_shard', cityHash64(jetton))");
    expect(made).toContain("('/clickhouse/tables/{shard}/jettons/jetton_legs_v1_shard', '{replica}', version)");
    expect(made).toContain("('/clickhouse/tables/everywhere/jettons/rebuild_epochs_v1', '{shard}-{replica}')");
    // A server that deduplicates inserts by itself loses rows (docs/adr/0002).
    expect(made).not.toMatch(/non_replicated_deduplication_window/);
  });

  it('refuse a table nobody has said how to spread, and a statement of an unknown kind', () => {
    expect(() =>
      clusterMigration('CREATE TABLE IF NOT EXISTS new_v1 (a Int8) ENGINE = MergeTree ORDER BY a', cluster),
    ).toThrow(/new_v1: say in cluster.ts/);
    expect(() => clusterMigration('OPTIMIZE TABLE jetton_legs_v1', cluster)).toThrow(/does not know/);
  });
});

describe('statements of the apps on a cluster', () => {
  it('name the Distributed tables and are left as they are', () => {
    const sql = 'INSERT INTO jetton_trades_per_minute_v1 SELECT minute FROM jetton_legs_v1 FINAL';
    expect(clusterStatement(sql, cluster)).toBe(sql);
  });

  it('drop partitions of the tables behind, on every shard', () => {
    expect(clusterStatement('ALTER TABLE jetton_legs_v1 DROP PARTITION {day: UInt32}', cluster)).toBe(
      'ALTER TABLE jetton_legs_v1_shard ON CLUSTER `main` DROP PARTITION {day: UInt32}',
    );
    const global = 'ALTER TABLE snapshot_terms_v1 DELETE WHERE term < 3';
    expect(clusterStatement(global, cluster)).toBe(global);
  });

  it('find the partitions of every shard under the name that statements use', () => {
    const sql = clusterStatement('SELECT table FROM system.parts WHERE active', cluster);
    expect(sql).toContain("clusterAllReplicas('main', system.parts)");
    expect(sql).toMatch(/replaceRegexpOne\(table, '_shard\$', ''\) AS table/);
  });
});
