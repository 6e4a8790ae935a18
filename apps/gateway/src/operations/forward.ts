import type { Operation } from '@jetton-analytics/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../admission/admission.js';
import type { Delivery } from '../delivery/delivery.js';
import { isKnown, withoutEncodings } from '../delivery/etags.js';
import type { AnswerCache } from '../upstream/answer-cache.js';
import type { UpstreamAnswer } from '../upstream/exchange.js';
import type { Question } from '../upstream/question.js';
import type { Upstream } from '../upstream/upstream.js';

// A list of what passes, so that no inner header does by accident.
const passedHeaders = ['x-data-as-of', 'x-data-lag', 'retry-after', 'allow'] as const;

// Whoever looks at it wants to know how things stand now.
const livePath = '/v1/status';

export interface ForwardParts {
  readonly upstream: Upstream;
  /** Undefined where no answer is kept. */
  readonly answers: AnswerCache | undefined;
  readonly admission: Admission;
  readonly delivery: Delivery;
}

/** Answers a request of an operation with what the app behind answers to it. Parameters are checked there. */
export async function forward(
  { upstream, answers, admission, delivery }: ForwardParts,
  operation: Pick<Operation, 'method' | 'path'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { headers, admitted } = request;
  const ifNoneMatch = headers['if-none-match'];
  const read = operation.method === 'GET';
  const byKey = admitted?.client.keyId !== undefined;
  const question: Question = {
    path: targetPathOf(request.url),
    requestId: request.id,
    ifNoneMatch: read && ifNoneMatch !== undefined ? withoutEncodings(ifNoneMatch) : undefined,
    body: read ? undefined : (request.body as Buffer), // packages/service takes bodies as they are
  };
  const isPublic = read && !byKey && operation.path !== livePath;
  const answer = await (isPublic && answers !== undefined
    ? publicAnswer(answers, upstream, question)
    : upstream.ask(question));
  if (answer.status === 304 && admitted !== null) await admission.giveBack(admitted);
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

/** An answer kept or shared; a 304 is made of a body that is kept, where its tag is the one that the client has. */
function publicAnswer(answers: AnswerCache, upstream: Upstream, question: Question): Promise<UpstreamAnswer> {
  const { path, ifNoneMatch } = question;
  const ask = () => upstream.ask(question);
  if (ifNoneMatch === undefined) return answers.share(path, ask);
  const whole = answers.get(path);
  const etag = whole?.headers.etag;
  if (whole === undefined || etag === undefined) return answers.share(`${path}\n${ifNoneMatch}`, ask);
  return Promise.resolve(isKnown(ifNoneMatch, etag) ? { ...whole, status: 304, body: [] } : whole);
}

/** Source: docs/http-api.md, "HTTP". */
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
