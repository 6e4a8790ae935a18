import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { systemCodeOf } from './launch-error.js';

const tailBytesMax = 16_384;

/** The last lines of a text file, none when it does not exist. Reads at most 16 KiB. */
export function tailOf(file: string, linesMax: number): string[] {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
  try {
    const { size } = fstatSync(handle);
    const buffer = Buffer.alloc(Math.min(size, tailBytesMax));
    const bytes = readSync(handle, buffer, 0, buffer.length, size - buffer.length);
    return buffer
      .toString('utf8', 0, bytes)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-linesMax);
  } finally {
    closeSync(handle);
  }
}
