// SQLSTATE classes 22 (data), 23 (constraints) and 42 (syntax, missing tables): the same statement fails again.
const fatalStates = /^(?:22|23|42)/;

/** Whether PostgreSQL has refused a statement for good; one that is away or overloaded is asked again. */
export function isFatalMetadataError(error: unknown): boolean {
  if (!(error instanceof Error) || !('driverError' in error)) return false;
  const { code } = error.driverError as { code?: unknown };
  return typeof code === 'string' && fatalStates.test(code);
}
