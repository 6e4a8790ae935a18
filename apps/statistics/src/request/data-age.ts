import { type CalculatedAt, formatInstant } from '@jetton-analytics/figures';
import { DomainError } from '@jetton-analytics/service';
import type { ReadModel } from '@jetton-analytics/read-model';

/** C of each step. Throws DomainError (unavailable) before the first snapshot of every step has been read. */
export function calculatedAtOf(model: ReadModel): CalculatedAt {
  const { calculatedAt } = model;
  if (calculatedAt !== undefined) return calculatedAt;
  throw new DomainError('unavailable', 'no statistics have been calculated yet, try again', { retryAfterSeconds: 2 });
}

/** The oldest calculatedAt of an answer that has windows of every step, Unix seconds. */
export const oldestOf = ({ short, mid, long }: CalculatedAt): number => Math.min(short, mid, long);

/** X-Data-As-Of and X-Data-Lag of an answer whose oldest figures are of `asOf` (Unix seconds). */
export function dataAgeHeaders(asOf: number, nowMs: number): Record<string, string> {
  return {
    'X-Data-As-Of': formatInstant(asOf),
    'X-Data-Lag': String(Math.max(0, Math.floor(nowMs / 1_000) - asOf)),
  };
}
