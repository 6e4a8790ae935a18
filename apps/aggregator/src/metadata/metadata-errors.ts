/** PostgreSQL did not do it now but may later: away, overloaded or past its deadline. Retry with backoff. */
export class MetadataUnavailableError extends Error {
  override readonly name = 'MetadataUnavailableError';
}

/** PostgreSQL refuses the statement: trying again will not help. */
export class MetadataRefusedError extends Error {
  override readonly name = 'MetadataRefusedError';
}

// SQLSTATE classes 22 (data), 23 (constraints) and 42 (syntax, missing tables).
const refusedStates = /^(?:22|23|42)/;

/** Maps whatever the driver threw to one of the two errors above. */
export function mapMetadataError(error: unknown): Error {
  const { message, driverError } = error as { message?: unknown; driverError?: { code?: unknown } };
  const text = typeof message === 'string' && message !== '' ? message : 'no connection';
  const isRefused = typeof driverError?.code === 'string' && refusedStates.test(driverError.code);
  return isRefused
    ? new MetadataRefusedError(text, { cause: error })
    : new MetadataUnavailableError(text, { cause: error });
}
