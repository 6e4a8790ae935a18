import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolder, startServer } from './server-process.js';

const TEST_MS = 40_000;
let folder: string;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

describe('backups by File', () => {
  it(
    'put a lost data folder back in another one, and are refused where no folder is set for them',
    async () => {
      const backups = join(folder, 'backups');
      mkdirSync(backups);
      const file = `File('${join(backups, 'one')}')`;
      const lost = await startServer(join(folder, 'lost'), { CLICKHOUSE_LOCAL_BACKUP_DIR: backups });
      const client = lost.client();
      await client.command({ query: 'CREATE DATABASE kept' });
      await client.command({ query: 'CREATE TABLE kept.rows (a UInt64) ENGINE = MergeTree ORDER BY a' });
      await client.insert({ table: 'kept.rows', values: [[1], [2]] });
      await client.command({ query: `BACKUP DATABASE kept TO ${file}` });
      await lost.end('SIGKILL');
      const next = await startServer(join(folder, 'next'), { CLICKHOUSE_LOCAL_BACKUP_DIR: backups });
      await next.client().command({ query: `RESTORE DATABASE kept FROM ${file}` });
      const result = await next.client().query({ query: 'SELECT a FROM kept.rows ORDER BY a', format: 'TabSeparated' });
      expect(await result.text()).toBe('1\n2\n');
      await next.end('SIGTERM');
      const without = await startServer(join(folder, 'without'));
      await expect(without.client().command({ query: `BACKUP DATABASE default TO ${file}` })).rejects.toThrow(
        'allowed_path',
      );
      await without.end('SIGTERM');
    },
    TEST_MS,
  );
});
