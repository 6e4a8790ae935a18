import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from './etag.js';
import { KeptBodies } from './kept-bodies.js';

export interface BytesAnswer {
  /** A function, called only where the bytes are sent and no longer kept: then a `tag` tells its bytes from others. */
  readonly body: Buffer | (() => Buffer);
  /** What the ETag is made of: another text with another body. The body itself by default. */
  readonly tag?: string;
  /** The oldest calculatedAt in the body, else the T of its prices and metrics: Unix seconds. Undefined: not told. */
  readonly asOf: number | undefined;
  /** `application/json` by default. */
  readonly contentType?: string;
}

// What is asked for again was mostly asked for a moment ago.
const keptBytesMax = 16 * 1024 * 1024;
const keptBodies = new KeptBodies(keptBytesMax);

const etagChars = 22; // 132 bits of the hash

let instant = { asOf: 0, text: '1970-01-01T00:00:00Z' };
/** Remembers the last one: whole seconds of requests ask for the same. */
function instantText(asOf: number): string {
  if (instant.asOf !== asOf) instant = { asOf, text: `${new Date(asOf * 1_000).toISOString().slice(0, 19)}Z` };
  return instant.text;
}

/**
 * Answers a request of a query app with bytes: 200 with a strong ETag made of them, or of what stands for them (GET and HEAD), X-Data-As-Of and
 * X-Data-Lag, or 304 where If-None-Match names that ETag. It sends the answer itself: the controller takes `@Res()`
 * without `passthrough`, since Nest would otherwise set its own status. `nowMs` is the injected clock's. Source:
 * docs/http-api.md, "HTTP".
 */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, tag, asOf, contentType = 'application/json' }: BytesAnswer,
  nowMs: number,
): void {
  if (asOf !== undefined) {
    void reply.header('x-data-as-of', instantText(asOf));
    void reply.header('x-data-lag', String(Math.max(0, Math.floor(nowMs / 1_000) - asOf)));
  }
  if (request.method === 'POST') {
    void reply.code(200).header('content-type', contentType).send(bytesOf(body));
    return;
  }
  const etag = `"${hash('sha256', tag ?? bytesOf(body), 'base64url').slice(0, etagChars)}"`;
  void reply.header('etag', etag);
  const given = request.headers['if-none-match'];
  if (given !== undefined && etagMatches(given, etag)) {
    void reply.code(304).send();
    return;
  }
  const bytes = typeof body === 'function' ? keptBodies.get(etag, body) : body;
  void reply.code(200).header('content-type', contentType).send(bytes);
}

const bytesOf = (body: Buffer | (() => Buffer)): Buffer => (typeof body === 'function' ? body() : body);
