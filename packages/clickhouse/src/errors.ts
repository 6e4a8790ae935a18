import { ClickHouseError } from '@clickhouse/client';

/** The store did not do the statement now but may later: away, overloaded or past its deadline. Retry with backoff. */
export class ClickHouseUnavailableError extends Error {
  override readonly name = 'ClickHouseUnavailableError';
}

/** The store refused the statement: trying again will not help. */
export class ClickHouseQueryError extends Error {
  override readonly name = 'ClickHouseQueryError';
  constructor(
    message: string,
    /** ClickHouse's own error number, e.g. 60 for an unknown table. */
    readonly code: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

// TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, MEMORY_LIMIT_EXCEEDED,
// NOT_ENOUGH_SPACE, TOO_MANY_PARTS, ALL_CONNECTION_TRIES_FAILED, KEEPER_EXCEPTION, TABLE_IS_READ_ONLY, QUERY_WAS_CANCELLED
const ofOneServer = [159, 202, 209, 210, 241, 243, 252, 279, 999, 242, 394];
// TOO_FEW_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE, REPLICA_IS_NOT_IN_QUORUM, UNKNOWN_STATUS_OF_INSERT
const ofCluster = [285, 286, 289, 319];
const retriableCodes = new Set([...ofOneServer, ...ofCluster]);

/** Maps whatever the client threw for the statement `name` to one of the two errors above. */
export function mapClickHouseError(name: string, error: unknown): Error {
  if (error instanceof ClickHouseUnavailableError || error instanceof ClickHouseQueryError) return error;
  if (error instanceof ClickHouseError) {
    const code = Number(error.code);
    if (retriableCodes.has(code)) {
      return new ClickHouseUnavailableError(`${name}: ${error.message}`, { cause: error });
    }
    return new ClickHouseQueryError(`${name}: ${error.message}`, code, { cause: error });
  }
  // Anything without ClickHouse's own code came from the connection: refused, reset, timed out, answered by a proxy.
  return new ClickHouseUnavailableError(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}
