import { join } from 'node:path';
import { freePort, startClickHouseLocal } from '@jetton-analytics/embedded';
import { z } from 'zod';
import { repositoryRoot } from './run-folder.js';
import { sharedStore } from './shared-store.js';

const Address = z.object({ url: z.url() });

/**
 * ClickHouse's engine behind the local server (apps/clickhouse-local, which must be built), one per test run, started by
 * the first spec that asks. Specs share it: each takes a database of its own, see uniqueName.
 */
export function sharedClickHouse(): Promise<{ url: string }> {
  return sharedStore('clickhouse', Address, async (folder, registry) => {
    const { url } = await startClickHouseLocal({
      repositoryRoot,
      dataDir: join(folder, 'data'),
      port: await freePort(),
      env: process.env,
      output: { file: join(folder, 'clickhouse.log') },
      registry,
      unref: true,
    });
    return { url };
  });
}
