import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout this package lies in. */
export const repositoryRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** The folder of one shared store in this test run, made when it is missing. Throws outside Jest's global setup. */
export function storeFolder(store: string): string {
  const run = process.env['JETTON_ANALYTICS_TEST_RUN'];
  if (run === undefined) {
    throw new Error('no test run: globalSetup of jest.config.base.mjs has not been called');
  }
  const folder = join(run, store);
  mkdirSync(folder, { recursive: true });
  return folder;
}
