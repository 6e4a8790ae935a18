import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './run-folder.js';

/**
 * The absolute path of a file of real data kept beside the checkout, or undefined where it is not there: then the tests
 * that need it are skipped, and one line on stderr says so.
 */
export function sharedData(relative: string): string | undefined {
  const file = join(repositoryRoot, '..', 'shared', 'data', relative);
  if (existsSync(file)) return file;
  process.stderr.write(`skipped: tests over real data, since ../shared/data/${relative} is absent\n`);
  return undefined;
}
