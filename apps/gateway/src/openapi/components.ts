import { type ErrorCode, errorCodes, Problem, problemOf } from '@jetton-analytics/common';
import type { ZodOpenApiResponseObject } from 'zod-openapi';

const text = (description: string, example: string) => ({ description, schema: { type: 'string', example } }) as const;
const count = (description: string, example: number) =>
  ({ description, schema: { type: 'integer', minimum: 0, example } }) as const;

/** Headers of answers, by their names. */
export const headers = {
  'X-Request-Id': text('The request’s own X-Request-Id, or one made here; also in error bodies and logs.', 'b1f6-42'),
  'RateLimit-Policy': text(
    'The limits of the plan: requests in a window and in a day (draft-ietf-httpapi-ratelimit-headers).',
    '"rate";q=10;w=10, "day";q=20000;w=86400',
  ),
  RateLimit: text(
    'What is left of each limit, and the seconds until it begins anew.',
    '"rate";r=9;t=10, "day";r=19999;t=86400',
  ),
  'X-RateLimit-Limit': count('Requests of the limit that is nearer.', 10),
  'X-RateLimit-Remaining': count('Requests left of it.', 9),
  'X-RateLimit-Reset': count('Seconds until it begins anew.', 10),
  'Retry-After': count('Seconds to wait before the next request.', 1),
  'WWW-Authenticate': text('How to show a key.', 'Bearer realm="jetton-analytics"'),
  ETag: text('Tag of the body in this encoding, for If-None-Match.', '"Zk3u0mYp7c2sT9xV1bQ8aA.br"'),
  'Cache-Control': text('`public` without a key, `private` with one.', 'public, max-age=1'),
  Vary: text('Request headers that make a difference.', 'Accept-Encoding, Authorization, X-API-Key, Origin'),
  'X-Data-As-Of': text(
    'The oldest calculatedAt in the body, or the instant its prices hold for.',
    '2026-11-21T12:00:00Z',
  ),
  'X-Data-Lag': count('Seconds since then.', 2),
} as const;
export type HeaderName = keyof typeof headers;

const everyAnswer: readonly HeaderName[] = [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** References to headers: those of every answer, and these. */
export const headersOf = (...more: readonly HeaderName[]) =>
  Object.fromEntries([...everyAnswer, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

interface ErrorText {
  readonly when: string;
  /** Of the example. */
  readonly detail: string;
  readonly headers?: readonly HeaderName[];
}

const errorTexts = {
  invalidArgument: {
    when: 'Parameters, body or cursor are wrong; `details` lists every violation at once.',
    detail: 'limit: must be at most 100',
  },
  unauthenticated: {
    when: 'The credential is missing where one is needed, or malformed, unknown, expired or revoked.',
    detail: 'the API key is malformed, unknown, expired or revoked',
    headers: ['WWW-Authenticate'],
  },
  permissionDenied: {
    when: 'The plan of the key is not a paid one.',
    detail: 'the plan free does not include this operation',
  },
  notFound: { when: 'No such jetton, or no such market of it.', detail: 'no such jetton' },
  payloadTooLarge: { when: 'The body is larger than 64 KiB.', detail: 'the request body is too large' },
  unsupportedMediaType: {
    when: 'The body is not sent as `application/json`, or is compressed.',
    detail: 'the Content-Type must be application/json',
  },
  rateLimited: {
    when: 'The limit of the plan is reached.',
    detail: 'the limit of the plan public is reached: "rate";q=10;w=10, "day";q=20000;w=86400',
    headers: ['Retry-After'],
  },
  headersTooLarge: {
    when: 'Request line and header together are larger than 48 KiB.',
    detail: 'the request line and header are too large',
  },
  internal: { when: 'The service failed.', detail: 'the service failed to answer this request' },
  unavailable: {
    when: 'A needed part of the service is away.',
    detail: 'a needed part of the service is away, try again',
    headers: ['Retry-After'],
  },
  deadlineExceeded: { when: 'The answer was not ready in time.', detail: 'the answer was not ready in time' },
} as const satisfies Partial<Record<ErrorCode, ErrorText>>;
export type DocumentedError = keyof typeof errorTexts;

const responses = new Map<DocumentedError, ZodOpenApiResponseObject>();

/** The component of an error's answer: the same object each time, which is how the library knows it again. */
export function errorResponse(error: DocumentedError): ZodOpenApiResponseObject {
  const response = responses.get(error) ?? newErrorResponse(error);
  responses.set(error, response);
  return response;
}

function newErrorResponse(error: DocumentedError): ZodOpenApiResponseObject {
  const { when, detail, headers: more = [] }: ErrorText = errorTexts[error];
  const [field, message] = detail.split(': ');
  const violations =
    error === 'invalidArgument' && field !== undefined && message !== undefined
      ? [{ field, reason: 'TOO_LARGE' as const, message }]
      : [];
  const example = problemOf({ error, detail, instance: '/v1/jettons', requestId: 'b1f6-42', violations });
  return {
    id: `${error[0]?.toUpperCase() ?? ''}${error.slice(1)}`,
    description: when,
    // A request that the parser refused is of nobody, and is answered without a look at limits.
    headers: error === 'headersTooLarge' ? { 'X-Request-Id': headersOf()['X-Request-Id'] ?? {} } : headersOf(...more),
    content: { 'application/problem+json': { schema: Problem, example } },
  };
}

export const statusOf = (error: DocumentedError): `${4 | 5}${string}` =>
  String(errorCodes[error].status) as `${4 | 5}${string}`; // every error is a 4xx or a 5xx
