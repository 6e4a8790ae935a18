import type { Database } from '../database.js';

/**
 * Work in one transaction of which there is one at a time, whoever labels: what it reads stays true until it is done.
 * The lock is the one the database takes by itself for each change of a label.
 */
export async function whileNobodyLabels<T>(
  database: Database,
  work: (manager: Database['manager']) => Promise<T>,
): Promise<T> {
  return database.transaction(async (manager) => {
    await manager.query("SELECT pg_advisory_xact_lock(hashtext('jetton_label_change_number'))");
    return work(manager);
  });
}
