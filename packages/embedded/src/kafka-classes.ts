import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './file-lock.js';
import type { ManagedProcess } from './managed-process.js';

const preparationTimeoutMs = 120_000;

export interface ClassArchiveOptions {
  /** Of this version of Kafka; what is made is kept there. */
  readonly versionDir: string;
  /** What this Java says about itself: another Java needs another archive. */
  readonly java: readonly string[];
  /** Starts a broker on an empty data folder with these arguments more for Java; resolves when it is ready. */
  readonly startBroker: (javaArgs: readonly string[], dataDir: string) => Promise<ManagedProcess>;
  /** Called before it is made: it takes some seconds, once. */
  readonly onPrepare?: () => void;
  /** Called with the reason when it could not be made. */
  readonly onFailure?: (reason: string) => void;
}

/**
 * The arguments with which Java loads the broker's classes from an archive of them (class data sharing): a start
 * takes a third less processor time. The archive is made once, from what a broker has loaded by the time it is
 * ready, and of two processes that want it at once one makes it. Without it, or with a Java that refuses it, Kafka
 * merely starts more slowly, so that none of this throws.
 */
export async function classArchiveArguments(options: ClassArchiveOptions): Promise<string[]> {
  const { versionDir, java, onFailure } = options;
  const id = createHash('sha256').update(java.join('\n')).digest('hex').slice(0, 12);
  const archive = join(versionDir, `classes-${id}.jsa`);
  try {
    if (!existsSync(archive)) {
      await withLock(join(versionDir, 'classes.lock'), preparationTimeoutMs, async () => {
        if (!existsSync(archive)) await makeArchive(archive, options);
      });
    }
  } catch (error) {
    onFailure?.(error instanceof Error ? error.message : String(error));
  }
  return existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`, '-Xlog:cds=off', '-Xlog:cds+dynamic=off'] : [];
}

/** The archive appears by a rename: it is whole or not there. */
async function makeArchive(archive: string, { versionDir, startBroker, onPrepare }: ClassArchiveOptions) {
  onPrepare?.();
  const workDir = mkdtempSync(join(versionDir, 'partial-'));
  try {
    const made = join(workDir, 'classes.jsa');
    const broker = await startBroker([`-XX:ArchiveClassesAtExit=${made}`], join(workDir, 'data'));
    await broker.stop();
    if (!existsSync(made)) throw new Error('this Java writes no archive of classes');
    renameSync(made, archive);
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}
