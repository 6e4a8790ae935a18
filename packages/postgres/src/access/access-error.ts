/** Why a change of keys or plans was refused: a closed set. */
export type AccessErrorCode = 'unknownKey' | 'unknownPlan' | 'keyEnded' | 'invalid';

/** A refused change of keys or plans; its message is for the operator and holds no secret. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  constructor(
    readonly code: AccessErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
