import { join } from 'node:path';
import { ProcessRegistry, readJsonFile, withLock, writeJsonFile } from '@jetton-analytics/embedded';
import type { z } from 'zod';
import { storeFolder } from './run-folder.js';

const startTimeoutMs = 120_000;

/**
 * One store per test run, whichever of Jest's processes asks first: the first starts it, the others read where it is.
 * It outlives the process that started it; the global teardown ends it by the registry in its folder.
 */
export async function sharedStore<Schema extends z.ZodType>(
  store: string,
  address: Schema,
  start: (folder: string, registry: ProcessRegistry) => Promise<z.infer<Schema>>,
): Promise<z.infer<Schema>> {
  const folder = storeFolder(store);
  const file = join(folder, 'address.json');
  const known = readJsonFile(file, address);
  if (known !== undefined) return known;
  return withLock(join(folder, 'start.lock'), startTimeoutMs, async () => {
    const meanwhile = readJsonFile(file, address);
    if (meanwhile !== undefined) return meanwhile;
    const started = await start(folder, new ProcessRegistry(join(folder, 'processes.json')));
    writeJsonFile(file, started);
    return started;
  });
}
