import { describe, expect, it } from '@jest/globals';
import type { Instant } from '../snapshots/step-snapshots.js';
import { isDue } from './step-loop.js';

const instant = (calculatedAt: number, positions: Record<number, string>): Instant => ({
  calculatedAt,
  asOf: calculatedAt,
  positions: new Map(Object.entries(positions).map(([partition, position]) => [Number(partition), position])),
  markedOn: '2026-01-01',
});
const last = instant(120, { 0: '5', 1: '7' });

describe('a snapshot', () => {
  it('is due at once where there is none yet, or after one that failed', () => {
    expect(isDue(last, undefined, 0, 120)).toBe(true);
  });

  it('is due when C moves on, although nothing is traded', () => {
    expect(isDue(instant(240, { 0: '5', 1: '7' }), last, 0, 120)).toBe(true);
  });

  it('is due with T standing still when the ledger changed, at most once per step', () => {
    const changed = instant(120, { 0: '5', 1: '8' });
    expect(isDue(changed, last, 1_999, 2)).toBe(false);
    expect(isDue(changed, last, 2_000, 2)).toBe(true);
  });

  it('is due when the ledger changed by a log that was cut, or by a partition that was added', () => {
    expect(isDue(instant(120, { 0: '5', 1: '2' }), last, 2_000, 2)).toBe(true);
    expect(isDue(instant(120, { 0: '5', 1: '7', 2: '0' }), last, 2_000, 2)).toBe(true);
  });

  it('is not due while neither C nor the ledger moved', () => {
    expect(isDue(instant(120, { 0: '5', 1: '7' }), last, 1e9, 2)).toBe(false);
  });
});
