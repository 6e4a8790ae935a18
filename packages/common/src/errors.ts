import { z } from 'zod';

/**
 * The closed set of errors. `status` is the HTTP status, `code` the numeric google.rpc code that older clients read,
 * `type` the last part of the problem's URI (RFC 9457).
 */
export const errorCodes = {
  invalidArgument: { status: 400, code: 3, type: 'invalid-argument', title: 'Invalid argument' },
  unauthenticated: { status: 401, code: 16, type: 'unauthenticated', title: 'Unauthenticated' },
  permissionDenied: { status: 403, code: 7, type: 'permission-denied', title: 'Permission denied' },
  notFound: { status: 404, code: 5, type: 'not-found', title: 'Not found' },
  methodNotAllowed: { status: 405, code: 12, type: 'method-not-allowed', title: 'Method not allowed' },
  payloadTooLarge: { status: 413, code: 3, type: 'payload-too-large', title: 'Payload too large' },
  unsupportedMediaType: { status: 415, code: 3, type: 'unsupported-media-type', title: 'Unsupported media type' },
  rateLimited: { status: 429, code: 8, type: 'rate-limited', title: 'Too many requests' },
  headersTooLarge: { status: 431, code: 3, type: 'headers-too-large', title: 'Request header fields too large' },
  internal: { status: 500, code: 13, type: 'internal', title: 'Internal error' },
  unavailable: { status: 503, code: 14, type: 'unavailable', title: 'Unavailable' },
  deadlineExceeded: { status: 504, code: 4, type: 'deadline-exceeded', title: 'Deadline exceeded' },
} as const;
export type ErrorCode = keyof typeof errorCodes;

/** Reasons of a field violation: a closed set, so that clients can branch on them. */
export const ViolationReason = z.enum([
  'REQUIRED',
  'UNKNOWN_FIELD',
  'DUPLICATE',
  'WRONG_TYPE',
  'MALFORMED',
  'MALFORMED_ADDRESS',
  'WRONG_NETWORK',
  'TOO_SMALL',
  'TOO_LARGE',
  'TOO_SHORT',
  'TOO_LONG',
  'TOO_MANY',
  'UNKNOWN_VALUE',
  'RANGE_EMPTY',
  'CURSOR_INVALID',
  'CURSOR_MISMATCH',
  'CURSOR_EXPIRED',
]);
export type ViolationReason = z.infer<typeof ViolationReason>;

export const FieldViolation = z.object({
  '@type': z.literal('type.googleapis.com/google.rpc.BadRequest.FieldViolation'),
  field: z.string(),
  reason: ViolationReason,
  message: z.string(),
});
export type FieldViolation = z.infer<typeof FieldViolation>;

/** One body for every error, valid as RFC 9457 problem details and for readers of google.rpc.Status. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.int(),
    message: z.string(),
    details: z.array(FieldViolation),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** What a caller of {@link problemOf} knows of an error. */
export interface ProblemInput {
  readonly error: ErrorCode;
  readonly detail: string;
  readonly instance: string;
  readonly requestId: string;
  readonly violations?: readonly { field: string; reason: ViolationReason; message: string }[];
}

/** Builds the error body. Throws nothing. */
export function problemOf({ error, detail, instance, requestId, violations = [] }: ProblemInput): Problem {
  const { status, code, type, title } = errorCodes[error];
  return {
    type: `/errors/${type}`,
    title,
    status,
    detail,
    instance,
    code,
    message: detail,
    details: violations.map((violation) => ({
      '@type': 'type.googleapis.com/google.rpc.BadRequest.FieldViolation',
      ...violation,
    })),
    requestId,
  };
}
