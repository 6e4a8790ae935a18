import type { Operation } from '@jetton-analytics/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../admission/admission.js';
import type { Delivery } from '../delivery/delivery.js';
import { withoutEncodings } from '../delivery/etags.js';
import type { UpstreamAnswer } from '../upstream/exchange.js';
import type { Upstream } from '../upstream/upstream.js';

// A list of what passes, so that no inner header does by accident.
const passedHeaders = ['x-data-as-of', 'x-data-lag', 'retry-after', 'allow'] as const;

export interface ForwardParts {
  readonly upstream: Upstream;
  readonly admission: Admission;
  readonly delivery: Delivery;
}

/** Answers a request of an operation with what the app behind answers to it. Parameters are checked there. */
export async function forward(
  { upstream, admission, delivery }: ForwardParts,
  operation: Pick<Operation, 'method'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { headers, admitted } = request;
  const ifNoneMatch = headers['if-none-match'];
  const read = operation.method === 'GET';
  const answer = await upstream.ask({
    path: targetPathOf(request.url),
    requestId: request.id,
    ifNoneMatch: read && ifNoneMatch !== undefined ? withoutEncodings(ifNoneMatch) : undefined,
    body: read ? undefined : (request.body as Buffer), // packages/service takes bodies as they are
  });
  if (answer.status === 304 && admitted !== null) await admission.giveBack(admitted);
  const byKey = admitted?.client.keyId !== undefined;
  const cacheControl = answer.headers['cache-control'] ?? cacheControlOf(read, byKey);
  const { 'content-type': contentType, etag } = answer.headers;
  const { status, body } = answer;
  delivery.send(
    request,
    reply,
    { status, body, contentType, etag, cacheControl, more: passedOf(answer) },
    admitted?.limit,
  );
}

/** Source: decisions.md, "HTTP". */
const cacheControlOf = (read: boolean, byKey: boolean): string =>
  !read ? 'no-store' : byKey ? 'private' : 'public, max-age=1';

function passedOf({ headers }: UpstreamAnswer): string[] {
  const passed: string[] = [];
  for (const name of passedHeaders) {
    const value = headers[name];
    if (typeof value === 'string') passed.push(name, value);
  }
  return passed;
}

/** The path and query of a request target, which may have the form of a whole URL (RFC 9112, 3.2.2). */
function targetPathOf(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(/^https?:\/\/[^/?]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
