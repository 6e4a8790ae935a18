import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { tryLock, type FileLock } from './file-lock.js';
import { readJsonFile, writeJsonFile } from './json-file.js';
import { LaunchError } from './launch-error.js';
import { commandLineOf } from './process-identity.js';
import { ProcessRegistry } from './process-registry.js';

/** The layout of a data folder this version reads and writes; raised when an older one can no longer be continued. */
const dataFormat = 1;

const Format = z.object({
  format: z.int(),
  /** Version of each engine whose files lie here. */
  engines: z.record(z.string(), z.string()),
});

export interface DataFolderOptions {
  readonly dir: string;
  /** Removes what is there first, when it is recognisably one of ours. */
  readonly fresh?: boolean;
  /** Versions of the engines about to run on the folder; one with another major version is refused. */
  readonly engines: Readonly<Record<string, string>>;
}

export interface DataFolder {
  readonly dir: string;
  readonly registry: ProcessRegistry;
  /** Names of the processes a killed supervisor had left, which were ended. */
  readonly cleared: readonly string[];
  /** Lets the next supervisor in. */
  release(): void;
}

const lockName = 'supervisor.lock';
const formatName = 'format.json';
const registryName = 'processes.json';

const majorOf = (version: string) => version.split('.')[0];

function requireReadable(dir: string, engines: Readonly<Record<string, string>>): void {
  const found = readJsonFile(join(dir, formatName), Format);
  const again = 'use --fresh to begin anew (its data is removed) or --data-dir for another folder';
  if (found === undefined) {
    const others = readdirSync(dir).filter((name) => !name.startsWith(lockName) && !name.startsWith(formatName));
    if (others.length > 0) {
      throw new LaunchError(`${dir} is not a data folder of this program (it holds ${others[0]} and no ${formatName})`);
    }
    return;
  }
  if (found.format !== dataFormat) {
    const age = found.format > dataFormat ? 'a newer' : 'an older';
    throw new LaunchError(
      `${dir} has data format ${found.format}, written by ${age} version than this one (format ${dataFormat}): ${again}`,
    );
  }
  for (const [engine, version] of Object.entries(engines)) {
    const written = found.engines[engine];
    if (written !== undefined && majorOf(written) !== majorOf(version)) {
      throw new LaunchError(
        `${dir} was written by ${engine} ${written} and cannot be read by ${engine} ${version}: ${again}`,
      );
    }
  }
}

function lockFolder(dir: string): FileLock {
  const attempt = tryLock(join(dir, lockName));
  if ('lock' in attempt) return attempt.lock;
  const { pid } = attempt.holder;
  const command = commandLineOf(pid)?.join(' ').slice(0, 120) ?? 'unknown';
  throw new LaunchError(
    `${dir} is in use by process ${pid} (${command}): stop that one first, or use --data-dir for another folder`,
  );
}

/** Removes everything but the lock, which we hold; format.json goes last, so that an interrupted removal is repeatable. */
function empty(dir: string): void {
  const names = readdirSync(dir).filter((name) => name !== lockName && name !== formatName);
  for (const name of names) rmSync(join(dir, name), { recursive: true, force: true });
  rmSync(join(dir, formatName), { force: true });
}

/**
 * Takes a data folder for this process: one supervisor at a time, leftovers of a killed one ended, its format checked.
 * Throws a LaunchError, and changes nothing, when another supervisor runs on it, when it is somebody else's folder, or
 * when another format or major engine version wrote it.
 */
export async function openDataFolder({ dir, fresh = false, engines }: DataFolderOptions): Promise<DataFolder> {
  if (fresh && existsSync(dir) && readdirSync(dir).length > 0 && !existsSync(join(dir, formatName))) {
    throw new LaunchError(`--fresh removes only a folder made by this program, and ${dir} has no ${formatName}`);
  }
  mkdirSync(dir, { recursive: true });
  const lock = lockFolder(dir);
  try {
    if (!fresh) requireReadable(dir, engines);
    const registry = new ProcessRegistry(join(dir, registryName));
    const cleared = await registry.clearLeftovers();
    if (fresh) empty(dir);
    writeJsonFile(join(dir, formatName), { format: dataFormat, engines } satisfies z.infer<typeof Format>);
    return { dir, registry, cleared, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}
