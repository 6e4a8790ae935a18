import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AdminError } from './admin-error.js';

const bytesMax = 64 * 1024 * 1024;

export interface InputFile {
  readonly name: string;
  readonly text: string;
  /** Of its bytes, in hex. */
  readonly sha256: string;
}

/**
 * Reads a file named on the command line; a relative path starts where npm was called. Up to 64 MiB of UTF-8.
 * @throws AdminError
 */
export function readInputFile(path: string, folder: string): InputFile {
  const file = resolve(folder, path);
  try {
    if (statSync(file).size > bytesMax) throw new AdminError('usage', `${path} is larger than ${bytesMax} bytes`);
    const bytes = readFileSync(file);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { name: basename(file), text, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    if (error instanceof AdminError) throw error;
    const reason = error instanceof TypeError ? 'it is not UTF-8' : String(error);
    throw new AdminError('usage', `${path} cannot be read: ${reason}`);
  }
}
