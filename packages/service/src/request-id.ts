import { randomUUID } from 'node:crypto';

const saneRequestId = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

/** The caller's X-Request-Id where it is safe to log and to send back, else a new one. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID();
}
