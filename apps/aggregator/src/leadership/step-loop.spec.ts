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
    expect(isDue(last, undefined, { lastMs: 0, hasNewFacts: false }, 120)).toBe(true);
  });

  it('is due when C moves on, although nothing is traded', () => {
    expect(isDue(instant(240, { 0: '5', 1: '7' }), last, { lastMs: 0, hasNewFacts: false }, 120)).toBe(true);
  });

  it('is due with T standing still when the ledger changed, at most once per step', () => {
    const changed = instant(120, { 0: '5', 1: '8' });
    expect(isDue(changed, last, { lastMs: 1_999, hasNewFacts: false }, 2)).toBe(false);
    expect(isDue(changed, last, { lastMs: 2_000, hasNewFacts: false }, 2)).toBe(true);
  });

  it('is due when the ledger changed by a log that was cut, or by a partition that was added', () => {
    expect(isDue(instant(120, { 0: '5', 1: '2' }), last, { lastMs: 2_000, hasNewFacts: false }, 2)).toBe(true);
    expect(isDue(instant(120, { 0: '5', 1: '7', 2: '0' }), last, { lastMs: 2_000, hasNewFacts: false }, 2)).toBe(true);
  });

  it('is due with T standing still when other facts are known, at most once per step', () => {
    expect(isDue(last, last, { lastMs: 1_999, hasNewFacts: true }, 2)).toBe(false);
    expect(isDue(last, last, { lastMs: 2_000, hasNewFacts: true }, 2)).toBe(true);
  });

  it('is not due while neither C nor the ledger nor the facts moved', () => {
    expect(isDue(instant(120, { 0: '5', 1: '7' }), last, { lastMs: 1e9, hasNewFacts: false }, 2)).toBe(false);
  });
});
