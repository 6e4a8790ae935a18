import { errorCodes, problemOf } from '@jetton-analytics/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from './domain-error.js';

const problemContentType = 'application/problem+json';
const instanceCharsMax = 1_024;

export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The path of a request target: without the query, which may hold what must not be repeated. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

/** Status, headers and body of an error answer (docs/http-api.md, "Errors"). `url` may have a query. Pure. */
export function problemResponse(error: DomainError, url: string, requestId: string): ProblemResponse {
  const problem = problemOf({
    error: error.code,
    detail: error.detail,
    instance: pathOf(url).slice(0, instanceCharsMax),
    requestId,
    violations: error.violations,
  });
  return {
    status: errorCodes[error.code].status,
    headers: {
      'Content-Type': problemContentType,
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
      ...(error.allow === undefined ? {} : { Allow: error.allow.join(', ') }),
    },
    body: JSON.stringify(problem),
  };
}

/** Answers a request with an error. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: DomainError): void {
  const { status, headers, body } = problemResponse(error, request.url, request.id);
  // A Buffer, since Fastify would otherwise serialise a string of a JSON type once more or add a charset.
  void reply.code(status).headers(headers).send(Buffer.from(body));
}
