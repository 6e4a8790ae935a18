import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from './etag.js';
import { KeptBodies } from './kept-bodies.js';

interface BytesAnswerForm {
  /** The oldest calculatedAt in the body, else the T of its prices and metrics: Unix seconds. Undefined: not told. */
  readonly asOf: number | undefined;
  /** `application/json` by default. */
  readonly contentType?: string;
}

/** Nobody may change the bytes once they are given away: they may be kept. */
export type BytesAnswer = BytesAnswerForm &
  (
    | { readonly body: Buffer; readonly tag?: undefined }
    | {
        /** A function where it has to be put together: called only where it is sent and no longer kept. */
        readonly body: Buffer | (() => Buffer);
        /** What the ETag is made of: another text with another body. */
        readonly tag: string;
      }
  );

// Answers that are asked for again are mostly those of a moment ago.
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
 * decisions.md, "HTTP".
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
  let bytes: Buffer;
  if (request.method === 'POST') bytes = typeof body === 'function' ? body() : body;
  else {
    const etag = `"${hash('sha256', tag === undefined ? body : tag, 'base64url').slice(0, etagChars)}"`;
    void reply.header('etag', etag);
    const given = request.headers['if-none-match'];
    if (given !== undefined && etagMatches(given, etag)) {
      void reply.code(304).send();
      return;
    }
    // Of two equal bodies the former one goes out, which whoever asks may have. Bytes with a tag are kept by who gave it.
    bytes = tag !== undefined && typeof body !== 'function' ? body : keptBodies.get(etag, body);
  }
  void reply.code(200).header('content-type', contentType).send(bytes);
}
