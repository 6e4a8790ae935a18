import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { LaunchError } from '@jetton-analytics/embedded';
import type { StackOptions } from './options.js';

const hashChars = 12;

/** SHA-256 of a file's bytes in hex. Throws a LaunchError when it cannot be read. */
async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw new LaunchError(`the file to replay cannot be read: ${error instanceof Error ? error.message : file}`, {
      cause: error,
    });
  }
  return hash.digest('hex');
}

/** Name of the data folder: a replay has one for each file (by its content) and way of replaying it. */
export async function folderNameOf({ source, clock }: Pick<StackOptions, 'source' | 'clock'>): Promise<string> {
  if (source.kind === 'market') return 'market';
  if (source.kind === 'kafka') return 'kafka-source';
  const content = await sha256OfFile(source.file);
  const key = JSON.stringify({ content, clock, shiftToNow: source.shiftToNow });
  return `replay-${createHash('sha256').update(key).digest('hex').slice(0, hashChars)}`;
}
