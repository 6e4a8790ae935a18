import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { freePort, identityOf, isAlive, ProcessRegistry, startPostgres, type RunningPostgres } from './index.js';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

describe('startPostgres', () => {
  let dir: string;
  let running: RunningPostgres | undefined;
  const start = async () => {
    const registry = new ProcessRegistry(join(dir, 'processes.json'));
    running = await startPostgres({ dataDir: join(dir, 'pg'), port: await freePort(), durable: false, registry });
    return running;
  };

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'jetton-postgres-'));
  });
  afterEach(async () => {
    await running?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it('keeps its data between starts, also in a folder only we may enter', async () => {
    chmodSync(dir, 0o700);
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(isAlive(first)).toBe(false);
    const second = await start();
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  }, 300_000);

  it('ends the server a killed supervisor left on its folder, and starts', async () => {
    const left = await start();
    rmSync(join(dir, 'processes.json'));
    const next = await start();
    expect(isAlive(left)).toBe(false);
    expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  }, 300_000);

  it('leaves alone a process that has got the pid of a former server', async () => {
    const first = await start();
    await first.stop();
    const self = identityOf(process.pid);
    const lines = [String(process.pid), join(dir, 'pg', 'cluster')];
    writeFileSync(join(dir, 'pg', 'cluster', 'postmaster.pid'), `${lines.join('\n')}\n`);
    const second = await start();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(identityOf(process.pid)).toEqual(self);
  }, 300_000);

  it('says which port is taken', async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    await expect(startPostgres({ dataDir: join(dir, 'other'), port })).rejects.toThrow(
      `PostgreSQL cannot start: port ${port} is taken by another program`,
    );
  }, 300_000);

  it('leaves no process and no half-made folder behind when it fails to start', async () => {
    const first = await start();
    await first.stop();
    writeFileSync(join(dir, 'pg', 'cluster', 'PG_VERSION'), '9.6\n');
    await expect(start()).rejects.toThrow(/it was made by another version/);
    expect(JSON.parse(readFileSync(join(dir, 'processes.json'), 'utf8'))).toEqual([]);
    expect(existsSync(join(dir, 'pg', 'partial'))).toBe(false);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(join(dir, 'pg', 'cluster'));
  }, 300_000);
});
