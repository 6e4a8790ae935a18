import type { ErrorCode, ViolationReason } from '@jetton-analytics/common';

export interface Violation {
  /** Name of the parameter, with its index where it is an array: `address[3]`. */
  readonly field: string;
  readonly reason: ViolationReason;
  readonly message: string;
}

export interface DomainErrorOptions extends ErrorOptions {
  readonly violations?: readonly Violation[];
  /** Sent as Retry-After; an `unavailable` without it says 1 second. */
  readonly retryAfterSeconds?: number;
  /** Sent as Allow with `methodNotAllowed`. */
  readonly allow?: readonly string[];
}

/** The one error that reaches a client as it is: a closed code and a sentence that names no host, query or file. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly violations: readonly Violation[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    { violations = [], retryAfterSeconds, allow, ...options }: DomainErrorOptions = {},
  ) {
    super(detail, options);
    this.violations = violations;
    this.retryAfterSeconds = retryAfterSeconds ?? (code === 'unavailable' ? 1 : undefined);
    this.allow = allow;
  }
}

/** An `invalidArgument` that lists every violation of a request. Takes at least one. */
export function invalidArgument(violations: readonly [Violation, ...Violation[]]): DomainError {
  const detail = violations.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new DomainError('invalidArgument', detail, { violations });
}
