import { describe, expect, it } from '@jest/globals';
import { sharedClickHouse } from '@jetton-analytics/testing';
import { clusterMigration, clusterStatement } from '../src/cluster.js';
import { readMigrations } from '../src/migrate.js';

const cluster = { name: 'main', database: 'jettons' };

/** The engine's answer to a statement, or what it throws. */
async function ask(sql: string): Promise<string> {
  const { url } = await sharedClickHouse();
  const response = await fetch(url, { method: 'POST', body: sql, signal: AbortSignal.timeout(15_000) });
  return response.text();
}

describe('statements for a cluster, before the engine’s own parser', () => {
  it('every statement of every migration is one that it can read', async () => {
    const statements = (await readMigrations()).flatMap((migration) => migration.statements);
    const made = statements.flatMap((statement) => clusterMigration(statement, cluster));
    expect(made.length).toBeGreaterThan(statements.length);
    for (const statement of made) {
      const tree = await ask(`EXPLAIN AST ${statement}`);
      expect([statement.slice(0, 80), tree.slice(0, 40)]).toEqual([
        statement.slice(0, 80),
        expect.stringMatching(/^(CreateQuery|AlterQuery|DropQuery|InsertQuery)/),
      ]);
    }
    expect(await ask('EXPLAIN AST CREATE TABLE x ON CLUSTER')).toMatch(/SYNTAX_ERROR/);
  }, 300_000);

  it('those that look for and drop partitions are too', async () => {
    const drop = clusterStatement('ALTER TABLE jetton_legs_v1 DROP PARTITION 20260310', cluster);
    expect(await ask(`EXPLAIN AST ${drop}`)).toMatch(/^AlterQuery/);
    const find = clusterStatement('SELECT DISTINCT table FROM system.parts WHERE active', cluster);
    expect(await ask(`EXPLAIN AST ${find}`)).toMatch(/^SelectWithUnionQuery/);
  });
});
