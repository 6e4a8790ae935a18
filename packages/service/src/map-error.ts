import type { ErrorCode } from '@jetton-analytics/common';
import { DomainError, invalidArgument, type Violation } from './domain-error.js';

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'permissionDenied',
  404: 'notFound',
  405: 'methodNotAllowed',
  413: 'payloadTooLarge',
  415: 'unsupportedMediaType',
  429: 'rateLimited',
  431: 'headersTooLarge',
  503: 'unavailable',
  504: 'deadlineExceeded',
};

const detailOf: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalidArgument: 'the request is malformed',
  notFound: 'no such path',
  methodNotAllowed: 'the path does not support this method',
  payloadTooLarge: 'the request body is too large',
  unsupportedMediaType: 'the Content-Type must be application/json',
  headersTooLarge: 'the request header is too large',
  unavailable: 'a needed part of the service is away, try again',
  deadlineExceeded: 'the answer was not ready in time',
};

// Fastify's own codes that tell what is wrong with the request.
const violationOfFrameworkCode: Readonly<Record<string, Violation>> = {
  FST_ERR_BAD_URL: { field: 'path', reason: 'MALFORMED', message: 'is not validly percent-encoded' },
  FST_ERR_MAX_PARAM_LENGTH: { field: 'path', reason: 'TOO_LONG', message: 'has a part that is too long' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    field: 'Content-Length',
    reason: 'MALFORMED',
    message: 'does not match the body',
  },
};

interface FrameworkError extends Error {
  readonly statusCode?: unknown;
  readonly code?: unknown;
  getStatus?(): unknown;
}

// Nest wraps what Fastify throws and keeps the original as the cause.
function frameworkCodeOf(error: FrameworkError): string | undefined {
  if (typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? frameworkCodeOf(error.cause) : undefined;
}

function statusOf(error: FrameworkError): number {
  const status = typeof error.getStatus === 'function' ? error.getStatus() : error.statusCode;
  return typeof status === 'number' ? status : 500;
}

/**
 * What a client is told of anything thrown: domain errors as they are, errors of Fastify and Nest by their status with
 * a sentence of ours, everything else as `internal` with the original as its cause. Pure; throws nothing.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const error: FrameworkError = thrown instanceof Error ? thrown : new Error(String(thrown));
  const status = statusOf(error);
  const code = codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'invalidArgument' : 'internal');
  if (code === 'internal') {
    return new DomainError('internal', 'the service failed to answer this request', { cause: thrown });
  }
  const frameworkCode = frameworkCodeOf(error);
  const violation = frameworkCode === undefined ? undefined : violationOfFrameworkCode[frameworkCode];
  if (code === 'invalidArgument' && violation !== undefined) return invalidArgument([violation]);
  return new DomainError(code, detailOf[code] ?? code, { cause: thrown });
}
