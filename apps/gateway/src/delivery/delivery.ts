import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LimitState, limitHeaders } from '../limits/limit-state.js';
import type { CompressedBodies } from './compressed-bodies.js';
import { etagOf, knownEtag } from './etags.js';
import { dataHeaders, type FlatHeaders } from './static-headers.js';

/** An answer before it is given the form that a client takes. */
export interface Answer {
  readonly status: number;
  readonly contentType?: string | undefined;
  /** In one piece or several; empty with 304. */
  readonly body: Buffer | readonly Buffer[];
  /** Of the body as it is here. */
  readonly etag?: string | undefined;
  readonly cacheControl: string;
  /** Further headers, flat. */
  readonly more?: FlatHeaders;
  /** Security headers; those of data by default. */
  readonly headers?: FlatHeaders;
  /** Whether compression saves anything; yes by default. */
  readonly compressible?: boolean;
}

/** Sends answers: compressed, with the tag of that form and every header that the gateway adds. */
export class Delivery {
  constructor(private readonly bodies: CompressedBodies) {}

  send(request: FastifyRequest, reply: FastifyReply, answer: Answer, limit: LimitState | undefined): void {
    const { status, body, etag, headers = dataHeaders, more } = answer;
    const all = [...headers, 'x-request-id', request.id, 'cache-control', answer.cacheControl];
    if (limit !== undefined) all.push(...limitHeaders(limit));
    if (more !== undefined) all.push(...more);
    // Past Fastify: nothing is left for it to do, and its own way costs more than all of the above.
    reply.hijack();
    const { raw } = reply;
    if (status === 304) {
      if (etag !== undefined) all.push('etag', knownEtag(request.headers['if-none-match'] ?? '', etag));
      raw.writeHead(304, all).end();
      return;
    }
    const { headers: asked } = request;
    const pieces = Buffer.isBuffer(body) ? [body] : body;
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    const encoding =
      answer.compressible === false ? undefined : this.bodies.encodingFor(asked['accept-encoding'], bytes);
    const sent = encoding === undefined ? pieces : [this.bodies.compressed(pieces, encoding, etag)];
    if (answer.contentType !== undefined) all.push('content-type', answer.contentType);
    if (encoding !== undefined) all.push('content-encoding', encoding);
    if (etag !== undefined) all.push('etag', etagOf(etag, encoding));
    all.push('content-length', String(encoding === undefined ? bytes : (sent[0]?.length ?? 0)));
    // To HEAD, Node sends the header alone. All pieces of one turn go out in one system call.
    raw.writeHead(status, all);
    for (const piece of sent.slice(0, -1)) raw.write(piece);
    raw.end(sent.at(-1));
  }
}
