import { join } from 'node:path';
import { freePort, startPostgres } from '@jetton-analytics/embedded';
import { z } from 'zod';
import { sharedStore } from './shared-store.js';

const Address = z.object({ url: z.url() });

/**
 * The PostgreSQL of this test run, started by the first spec that asks. Specs share the server: each makes a database of
 * its own, see uniqueName.
 */
export function sharedPostgres(): Promise<{ url: string }> {
  return sharedStore('postgres', Address, async (folder, registry) => {
    const { url } = await startPostgres({
      dataDir: join(folder, 'data'),
      port: await freePort(),
      durable: false,
      registry,
      unref: true,
    });
    return { url };
  });
}
