import { parseInstant } from '@jetton-analytics/figures';
import { AdminError } from '../admin-error.js';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const secondsMax = 3_650 * 86_400;

/** A length of time as people write it (`90s`, `15m`, `24h`, `30d`, `0s`), in seconds. @throws AdminError */
export function readDuration(name: string, text: string): number {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  const seconds = Number(match?.[1]) * (unitSeconds[match?.[2] ?? ''] ?? Number.NaN);
  if (seconds <= secondsMax) return seconds;
  throw new AdminError('usage', `${name}: expected a length like 90s, 15m, 24h or 30d, up to 3650d`);
}

/** An instant (`2027-01-31T00:00:00Z`), or a length of time from now. @throws AdminError */
export function readEnd(name: string, text: string, nowMs: number): Date {
  const instant = parseInstant(text);
  if (instant !== undefined) return new Date(instant * 1_000);
  try {
    return new Date(nowMs + readDuration(name, text) * 1_000);
  } catch {
    throw new AdminError('usage', `${name}: expected an instant like 2027-01-31T00:00:00Z or a length like 90d`);
  }
}
