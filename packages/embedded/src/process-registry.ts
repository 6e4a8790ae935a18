import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.js';
import { systemCodeOf } from './launch-error.js';
import { isAlive, ProcessIdentity } from './process-identity.js';
import { stopProcess } from './stop-process.js';

const Entry = ProcessIdentity.extend({
  name: z.string(),
  command: z.string(),
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
});
export type RegisteredProcess = z.infer<typeof Entry>;

const leftoverGraceMs = 10_000;

/**
 * The processes started for one data folder, kept in a file so that a later start finds what a killed supervisor left.
 * Writes are synchronous: between a spawn and its entry there is nothing at which this process could be interrupted.
 */
export class ProcessRegistry {
  constructor(private readonly file: string) {}

  list(): RegisteredProcess[] {
    return readJsonFile(this.file, z.array(Entry)) ?? [];
  }

  add(entry: RegisteredProcess): void {
    writeJsonFile(this.file, [...this.list(), entry]);
  }

  remove(identity: ProcessIdentity): void {
    const before = this.list();
    const after = before.filter((entry) => entry.pid !== identity.pid || entry.startTime !== identity.startTime);
    if (after.length === before.length) return;
    try {
      writeJsonFile(this.file, after);
    } catch (error) {
      // The entry of a process that has ended does no harm, and on a full disk this is called because it has ended.
      if (systemCodeOf(error) !== 'ENOSPC') throw error;
    }
  }

  /**
   * Ends every registered process that still runs (or those `which` picks), the last started first. A pid that belongs
   * to another program by now is left alone. Returns the names of those ended.
   */
  async stopAll(which: (entry: RegisteredProcess) => boolean = () => true): Promise<string[]> {
    const found = this.list()
      .filter((entry) => which(entry) && isAlive(entry))
      .toReversed();
    for (const entry of found) await stopProcess(entry, { signal: entry.stopSignal, graceMs: leftoverGraceMs });
    return found.map(({ name }) => name);
  }

  /** Kills every registered process that still runs, at once and without waiting. */
  killAll(): void {
    for (const { pid } of this.list().filter(isAlive)) process.kill(pid, 'SIGKILL');
  }

  /** Ends every registered process that still runs and forgets them all. Returns the names of those ended. */
  async clearLeftovers(): Promise<string[]> {
    const names = await this.stopAll();
    rmSync(this.file, { force: true });
    return names;
  }
}
