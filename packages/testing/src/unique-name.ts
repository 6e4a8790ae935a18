import { randomUUID } from 'node:crypto';

/** A name that no other spec has: letters, digits and underscores, good for a topic, a group or a database. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}
