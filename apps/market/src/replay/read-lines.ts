import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from '../user-error.js';
import { type Line, splitLines } from '@jetton-analytics/feed';

export interface LineFile {
  /** Line by line, the file in pieces; at its end also `sha256`. Throws a UserError where it cannot be read further. */
  readonly lines: AsyncIterable<readonly Line[]>;
  /** Of the file's own bytes, in hex; known once the lines are through. */
  sha256(): string;
}

const chunkBytes = 256 * 1024;

/** Opens a file of lines, packed with gzip or not, whatever its name says. Throws a UserError where there is none. */
export async function openLineFile(path: string): Promise<LineFile> {
  const handle = await openFile(path);
  const isGzip = await beginsLikeGzip(handle, path);
  if (path.endsWith('.gz') && !isGzip) {
    await handle.close();
    throw new UserError(`${path} is named .gz but is not packed with gzip`, 2);
  }
  const hash = createHash('sha256');
  let digest: string | undefined;
  return {
    lines: readLines(path, handle, isGzip, (chunk) => hash.update(chunk)),
    sha256: () => (digest ??= hash.digest('hex')),
  };
}

async function* readLines(
  path: string,
  handle: FileHandle,
  isGzip: boolean,
  see: (chunk: Buffer) => void,
): AsyncGenerator<readonly Line[]> {
  const raw = handle.createReadStream({ start: 0, highWaterMark: chunkBytes });
  raw.on('data', (chunk) => see(Buffer.from(chunk)));
  const unpacked: Readable = isGzip ? raw.pipe(createGunzip({ chunkSize: chunkBytes })) : raw;
  // pipe() passes no errors on.
  if (isGzip) raw.on('error', (error) => unpacked.destroy(error));
  let lastLine = 0;
  try {
    for await (const lines of splitLines(unpacked)) {
      lastLine = lines.at(-1)?.number ?? lastLine;
      yield lines;
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${path}: cannot be read beyond line ${lastLine}: ${why}`, 2, { cause: error });
  } finally {
    raw.destroy();
  }
  if (lastLine === 0) throw new UserError(`${path} holds no lines`, 2);
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r');
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'there is no such file' : error instanceof Error ? error.message : String(error);
    throw new UserError(`${path}: ${why}`, 2, { cause: error });
  }
  throw new UserError(`${path} is not a file`, 2);
}

async function beginsLikeGzip(handle: FileHandle, path: string): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  if (bytesRead > 0) return buffer[0] === 0x1f && buffer[1] === 0x8b;
  await handle.close();
  throw new UserError(`${path} is empty`, 2);
}
