import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const checkpoint = 'bootstrap.checkpoint';
const marker = 'meta.properties';

/** A random id as Kafka writes them: 16 bytes in base64url, not beginning with a dash (a command line would take it for an option). */
export const kafkaId = (): string => `A${randomBytes(16).toString('base64url').slice(1)}`;

/** Copies a file so that it is there as a whole or not at all. */
function copyWhole(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const partial = `${to}.${process.pid}.partial`;
  copyFileSync(from, partial);
  renameSync(partial, to);
}

/** Where the feature levels that this version of Kafka begins with are kept; the same in every folder it formats. */
const keptIn = (versionDir: string) => join(versionDir, 'formatted', checkpoint);

/**
 * Formats a log folder as Kafka's own tool does, from what the tool wrote when it ran last with this version: a Java
 * program less at the start. False when it has not run yet: then it has to.
 */
export function formatFromKept(
  logDir: string,
  { clusterId, nodeId, versionDir }: { clusterId: string; nodeId: number; versionDir: string },
): boolean {
  const kept = keptIn(versionDir);
  if (!existsSync(kept)) return false;
  copyWhole(kept, join(logDir, checkpoint));
  const properties = `version=1\ncluster.id=${clusterId}\nnode.id=${nodeId}\ndirectory.id=${kafkaId()}\n`;
  // Last, and by a rename: a folder that has it is formatted.
  const partial = join(logDir, `${marker}.partial`);
  writeFileSync(partial, properties);
  renameSync(partial, join(logDir, marker));
  return true;
}

export const isFormatted = (logDir: string): boolean => existsSync(join(logDir, marker));

/** Keeps what the tool wrote into a folder, for the next one. */
export function keepFormat(logDir: string, versionDir: string): void {
  copyWhole(join(logDir, checkpoint), keptIn(versionDir));
}
