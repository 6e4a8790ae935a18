import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The process that has a data folder open. `startTicks` tells it from a later process with the same number. */
const Holder = z.object({
  pid: z.number().int().positive(),
  startTicks: z.string().nullable(),
  bootId: z.string().nullable(),
  host: z.string(),
  port: z.number().int().nullable(),
});
type Holder = z.infer<typeof Holder>;

const FILE = 'lock.json';

export interface FolderLock {
  /** Records the address once it is known, for whoever finds the folder taken. */
  announce(port: number): void;
  release(): void;
}

/**
 * Takes the folder for this process. A lock whose process is gone, or whose number now belongs to another process, is
 * taken over.
 * @throws Error with one sentence that says who holds the folder.
 */
export function lockFolder(folder: string, host: string): FolderLock {
  const path = join(folder, FILE);
  const own: Holder = { pid: process.pid, startTicks: startTicksOf(process.pid), bootId: bootId(), host, port: null };
  const draft = `${path}.${process.pid}`;
  const write = (holder: Holder) => writeFileSync(draft, `${JSON.stringify(holder)}\n`);
  write(own);
  try {
    // A link either makes the lock whole or fails: no other process can see half of it.
    if (!tryLink(draft, path)) {
      const holder = readHolder(path);
      if (holder !== undefined && isAlive(holder)) throw new Error(takenBy(folder, holder));
      rmSync(path, { force: true });
      if (!tryLink(draft, path)) throw new Error(`The data folder ${folder} has just been taken by another process.`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    announce(port) {
      write({ ...own, port });
      renameSync(draft, path);
    },
    release() {
      if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
    },
  };
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Absent or unreadable: nobody can be named as the holder. The engine's own lock still guards the data.
    return undefined;
  }
}

function takenBy(folder: string, { pid, host, port }: Holder): string {
  const where = port === null ? 'and is still starting' : `and serves it on http://${host}:${port}`;
  return `The data folder ${folder} is in use: process ${pid} has it open ${where}.`;
}

function isAlive(holder: Holder): boolean {
  if (holder.bootId !== bootId()) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return holder.startTicks === startTicksOf(holder.pid);
}

/** Field 22 of /proc/<pid>/stat; the command before it may hold blanks and parentheses. Null where there is no /proc. */
function startTicksOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

const bootId = () => readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null;

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
