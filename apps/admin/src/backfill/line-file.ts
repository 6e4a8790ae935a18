import { createHash } from 'node:crypto';
import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Line, splitLines } from '@jetton-analytics/feed';
import { AdminError } from '../admin-error.js';

const chunkBytes = 256 * 1024;
const gzipMagic = [0x1f, 0x8b];

/** A file of lines, packed with gzip or not, known by its content. */
export interface LineFile {
  readonly name: string;
  readonly bytes: number;
  /** Of the file as it lies there, hex. */
  readonly sha256: string;
  /** Its lines that are not blank, in pieces, with how many bytes of the file are read by then. */
  lines(): AsyncGenerator<{ readonly lines: readonly Line[]; readonly bytesRead: number }>;
}

/** Reads the file once for its hash. @throws AdminError where it cannot be read */
export async function openLineFile(path: string, folder: string): Promise<LineFile> {
  const file = resolve(folder, path);
  try {
    const bytes = statSync(file).size;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) hash.update(chunk as Buffer);
    return { name: basename(file), bytes, sha256: hash.digest('hex'), lines: () => linesOf(file, path) };
  } catch (error) {
    throw new AdminError('usage', `${path} cannot be read: ${String(error)}`);
  }
}

function isGzip(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(gzipMagic.length);
    readSync(handle, head, 0, head.length, 0);
    return gzipMagic.every((byte, index) => head[index] === byte);
  } finally {
    closeSync(handle);
  }
}

async function* linesOf(file: string, path: string) {
  const raw = createReadStream(file, { highWaterMark: chunkBytes });
  let unpacked: Readable = raw;
  if (isGzip(file)) {
    const gunzip = createGunzip({ chunkSize: chunkBytes });
    // pipe() passes no errors on.
    raw.on('error', (error) => gunzip.destroy(error));
    unpacked = raw.pipe(gunzip);
  }
  let last = 0;
  try {
    for await (const lines of splitLines(unpacked as AsyncIterable<Buffer>)) {
      last = lines.at(-1)?.number ?? last;
      yield { lines, bytesRead: raw.bytesRead };
    }
  } catch (error) {
    if (error instanceof AdminError) throw error;
    const code = (error as { code?: unknown } | null)?.code;
    // Errors of the file and of zlib; others come from whoever takes the lines.
    if (typeof code !== 'string' || !/^(Z_|E[A-Z]+$)/.test(code)) throw error;
    throw new AdminError('usage', `${path} cannot be read beyond line ${last}: ${String(error)}`);
  } finally {
    raw.destroy();
  }
}
