import { join } from 'node:path';
import { freePort, startKafka } from '@jetton-analytics/embedded';
import { z } from 'zod';
import { repositoryRoot } from './run-folder.js';
import { sharedStore } from './shared-store.js';

const Address = z.object({ brokers: z.array(z.string()).min(1) });

/**
 * The real Kafka of this test run, started by the first spec that asks (about 5 s). Specs share it: each takes topics
 * and groups of its own, see uniqueName. Ask in `beforeAll` with a timeout of a minute.
 */
export function sharedKafka(): Promise<{ brokers: string[] }> {
  return sharedStore('kafka', Address, async (folder, registry) => {
    const { brokers } = await startKafka({
      dataDir: join(folder, 'data'),
      cacheDir: join(repositoryRoot, '.cache'),
      port: await freePort(),
      heapMb: 384,
      registry,
      unref: true,
    });
    return { brokers };
  });
}
