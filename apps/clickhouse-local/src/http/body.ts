import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { EngineError } from '../engine/engine-error.js';

/** Counts the bytes of request bodies held in memory, so that many large ones at once are refused, not swapped. */
export class BodyBudget {
  private heldBytes = 0;

  constructor(private readonly heldBytesMax: number) {}

  /** @throws EngineError when these bytes do not fit beside those already held. */
  take(bytes: number): void {
    if (this.heldBytes + bytes > this.heldBytesMax)
      throw new EngineError(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `Request bodies may hold ${this.heldBytesMax} bytes in all. Try again later.`,
      );
    this.heldBytes += bytes;
  }

  give(bytes: number): void {
    this.heldBytes -= bytes;
  }
}

/**
 * Reads a request's body, decompressed as its Content-Encoding says. Its bytes stay counted in `budget` until the
 * caller gives `bytes.length` back.
 * @throws EngineError when it is larger than `bytesMax`, when the budget is spent, or when it cannot be decompressed.
 */
export async function readBody(request: IncomingMessage, bytesMax: number, budget: BodyBudget): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Were the request destroyed on a throw, its connection would go with it, and the answer too.
    for await (const chunk of decompressed(request).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (bytes + chunk.length > bytesMax)
        throw new EngineError(307, 'TOO_MANY_BYTES', `The request body is larger than ${bytesMax} bytes`);
      budget.take(chunk.length);
      bytes += chunk.length;
      chunks.push(chunk);
    }
  } catch (error) {
    budget.give(bytes);
    await discard(request);
    if (error instanceof EngineError) throw error;
    throw new EngineError(271, 'CANNOT_DECOMPRESS', `Cannot decompress the request body: ${String(error)}`);
  }
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes);
}

/** A client reads no answer before it has sent its body. The server's request timeout bounds this. */
async function discard(request: IncomingMessage): Promise<void> {
  request.unpipe();
  request.resume();
  await finished(request);
}

function decompressed(request: IncomingMessage) {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return request;
  const stream = decompressor(encoding);
  if (stream === undefined)
    throw new EngineError(89, 'UNKNOWN_COMPRESSION_METHOD', `Unknown compression method: ${encoding}`);
  request.on('error', (error) => stream.destroy(error));
  return request.pipe(stream);
}

function decompressor(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'zstd') return createZstdDecompress();
  return undefined;
}
