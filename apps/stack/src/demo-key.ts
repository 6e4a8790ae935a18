import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataSource, createKey, findKey, keyHashOf } from '@jetton-analytics/postgres';

const plan = 'pro';

/**
 * A key of a paid plan to try the service with: made once in the stack's own PostgreSQL and kept in the data folder, and
 * made anew where it was revoked there. Rejects where PostgreSQL or the folder cannot be written.
 */
export async function keptDemoKey(folder: string, databaseUrl: string): Promise<string> {
  const file = join(folder, 'demo-key');
  const database = createDataSource(databaseUrl, { application: 'jetton-analytics stack', connectionsMax: 1 });
  await database.initialize();
  try {
    const { manager } = database;
    // By the clock of the database: the stack has none.
    const [{ at } = { at: undefined }] = await manager.query<{ at: Date }[]>('SELECT now() AS at');
    if (at === undefined) throw new Error('PostgreSQL does not tell the time');
    const kept = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const known = kept === undefined ? null : await findKey(manager, keyHashOf(kept));
    const isLive =
      known !== null &&
      known.revokedAt === null &&
      (known.expiresAt === null || known.expiresAt.getTime() > at.getTime());
    if (kept !== undefined && isLive) return kept;
    const { key } = await createKey(manager, { owner: 'demo of this data folder', plan, by: 'stack', at });
    writeFileSync(file, key, { mode: 0o600 });
    return key;
  } finally {
    await database.destroy();
  }
}
