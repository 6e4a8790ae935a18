import { journaled } from '@jetton-analytics/postgres';
import { withDatabase } from '../database.js';
import type { Session } from '../session.js';

/**
 * Makes a change to Kafka or ClickHouse with its row in the journal of PostgreSQL: nothing is changed that is not
 * recorded. A dry run records nothing; its work must look at `session.dryRun` itself.
 */
export function journaling<T extends object>(
  session: Session,
  command: string,
  details: object,
  work: () => Promise<T>,
): Promise<T> {
  if (session.dryRun) return work();
  const now = () => new Date(session.clock.now());
  return withDatabase(session, ({ manager }) =>
    journaled(manager, { command, details, by: session.actor(), now }, work),
  );
}
