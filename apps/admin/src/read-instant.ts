import { parseInstant } from '@jetton-analytics/figures';
import { AdminError } from './admin-error.js';

/** An instant given on the command line (`2026-01-31T12:00:00Z`), Unix seconds. @throws AdminError */
export const readInstant = (name: string) => (text: string) => {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new AdminError('usage', `${name}: expected an instant like 2026-01-31T12:00:00Z, got ${JSON.stringify(text)}`);
};
