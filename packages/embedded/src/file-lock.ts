import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCodeOf } from './launch-error.js';
import { identityOf, isAlive, ProcessIdentity } from './process-identity.js';

export interface FileLock {
  release(): void;
}

function readHolder(file: string): { text: string; identity: ProcessIdentity | undefined } | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return { text, identity: ProcessIdentity.parse(JSON.parse(text)) };
  } catch {
    return { text, identity: undefined };
  }
}

/**
 * Puts a dead holder's lock aside. Between reading and renaming somebody else may have taken the lock over, so what was
 * renamed is compared with what was read, and given back when it is another's.
 */
function putAside(file: string, expected: string): void {
  const aside = `${file}.${randomUUID()}.dead`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (readFileSync(aside, 'utf8') !== expected) {
    try {
      linkSync(aside, file);
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}

/**
 * Takes the lock for this process, or says which running process holds it. The lock of a process that has died is taken
 * over. The file appears with its content (written aside and linked), so a reader never sees half of it.
 */
export function tryLock(file: string): { lock: FileLock } | { holder: ProcessIdentity } {
  const self = identityOf(process.pid);
  if (self === undefined) throw new Error('this process cannot see itself in the process table');
  const text = JSON.stringify({ ...self, token: randomUUID() });
  const draft = `${file}.${randomUUID()}.draft`;
  writeFileSync(draft, text);
  try {
    for (;;) {
      try {
        linkSync(draft, file);
        return {
          lock: {
            release: () => {
              if (readHolder(file)?.text === text) rmSync(file, { force: true });
            },
          },
        };
      } catch (error) {
        if (systemCodeOf(error) !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (holder === undefined) continue;
      if (holder.identity !== undefined && isAlive(holder.identity)) return { holder: holder.identity };
      putAside(file, holder.text);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Runs the work while holding the lock, after waiting for whoever holds it. Throws when that takes longer than `waitMs`. */
export async function withLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + waitMs;
  for (;;) {
    const attempt = tryLock(file);
    if ('lock' in attempt) {
      try {
        return await work();
      } finally {
        attempt.lock.release();
      }
    }
    if (performance.now() >= end) {
      throw new Error(`process ${attempt.holder.pid} has held ${file} for more than ${Math.round(waitMs / 1000)} s`);
    }
    await sleep(50);
  }
}
