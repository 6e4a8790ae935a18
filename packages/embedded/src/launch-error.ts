/** Why something could not be started, as one sentence for the person who ran the command: no stack is of use to them. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}

/**
 * The `code` of a system error (`ENOENT`, `EADDRINUSE`, …), or undefined for any other error. Goes by shape: an error
 * of Node's own may come from another realm than this module's `Error`.
 */
export function systemCodeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
