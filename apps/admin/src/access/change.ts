import { type Database, withDatabase } from '../database.js';
import type { Session } from '../session.js';

type Manager = Database['manager'];

/** Thrown to take back what a dry run has tried. */
class TakenBack<T> extends Error {
  constructor(readonly result: T) {
    super('dry run');
  }
}

/**
 * Work in one transaction; a dry run does all of it and then takes it back, so that it is refused for whatever the real
 * run would be refused for.
 */
export function changing<T>(session: Session, work: (manager: Manager) => Promise<T>): Promise<T> {
  return withDatabase(session, async (database) => {
    try {
      return await database.transaction(async (manager) => {
        const result = await work(manager);
        if (session.dryRun) throw new TakenBack(result);
        return result;
      });
    } catch (error) {
      if (error instanceof TakenBack) return error.result as T;
      throw error;
    }
  });
}
