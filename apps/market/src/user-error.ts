/** Something that whoever started the program can put right; the message is one sentence for them. */
export class UserError extends Error {
  override readonly name = 'UserError';
  constructor(
    message: string,
    /** 2: the arguments or a file; 78: the settings; 1: the world around. */
    readonly exitCode: 1 | 2 | 78,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
