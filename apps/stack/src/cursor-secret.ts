import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The secret that signs the cursors of lists: made once and kept in the data folder, so that a cursor holds after a
 * restart of the stack, as the pinned order it leads to does. Throws Node's error where the folder cannot be written.
 */
export function keptCursorSecret(folder: string): string {
  const file = join(folder, 'cursor-secret');
  // One stack at a time holds the folder.
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
