import type { EntityManager } from 'typeorm';
import { OperatorChange } from './operator-change.entity.js';

export interface JournalEntry {
  /** The command, e.g. `topics apply`. */
  readonly command: string;
  /** What was asked for; JSON without bigints. */
  readonly details: object;
  readonly by: string;
  /** The injected clock. */
  readonly now: () => Date;
}

/**
 * Makes a change that lies outside of this database, with its row in the journal: written before the work, so that nothing
 * is changed which is not recorded, and completed with what the work returns. A row that stays `begun` is of a command that
 * was killed. Rejects with what the work or the database throws.
 */
export async function journaled<T extends object>(
  manager: EntityManager,
  { command, details, by, now }: JournalEntry,
  work: () => Promise<T>,
): Promise<T> {
  const inserted = await manager.insert(OperatorChange, {
    command,
    details,
    setBy: by,
    setAt: now(),
    outcome: 'begun',
  });
  const id = String((inserted.identifiers[0] as { id?: unknown } | undefined)?.id);
  try {
    const result = await work();
    await manager.update(OperatorChange, { id }, { outcome: 'done', result, endedAt: now() });
    return result;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // That the journal is away as well must not hide why the work failed.
    await manager
      .update(OperatorChange, { id }, { outcome: 'failed', result: { message }, endedAt: now() })
      .catch(() => undefined);
    throw error;
  }
}

/** The newest changes, newest first. */
export function listChanges(manager: EntityManager, limit: number): Promise<OperatorChange[]> {
  return manager.find(OperatorChange, { order: { id: 'DESC' }, take: limit });
}
