/** An end of a command that is told in a sentence, without a stack. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  constructor(
    readonly kind: 'usage' | 'refused' | 'unavailable',
    message: string,
    /** One line each: the entries of a file that are wrong, for example. */
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}
