import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { LaunchError } from './launch-error.js';

const mib = (bytes: number) => Math.floor(bytes / 2 ** 20);

/** Throws a LaunchError when the disk that holds `dir` has less room than this. */
export async function requireFreeSpace(dir: string, bytesMin: number, name: string): Promise<void> {
  const { bavail, bsize } = await statfs(dir);
  const freeBytes = bavail * bsize;
  if (freeBytes < bytesMin) {
    throw new LaunchError(
      `${name} cannot start: the disk that holds ${dir} is full (${mib(freeBytes)} MiB free, ${mib(bytesMin)} MiB needed)`,
    );
  }
}

const fullBytesMax = 8 * 2 ** 20;

/** Whether the disk that holds `dir` is full, for all that a store could still write. */
export function isDiskFull(dir: string): boolean {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize < fullBytesMax;
}
