import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { edgesOf } from '../snapshots/edges.js';
import { keptFrom, tooLateBefore } from './bounds.js';

const instants = fc.integer({ min: 1_700_000_000, max: 1_800_000_000 });
const retentions = fc.integer({ min: 62, max: 36_500 });

describe('what retention drops', () => {
  it('are whole UTC days that ended as long before C as the ledger keeps', () => {
    // 2026-03-10T10:00:17Z less 62 days: 2026-01-07T10:00:17Z
    expect(keptFrom(1_773_136_817, 62)).toBe(Date.UTC(2026, 0, 7) / 1_000);
  });

  it('holds nothing that a window reads, nor the whole day in which a window begins', () => {
    fc.assert(
      fc.property(instants, retentions, (c, days) => {
        const [first = 0] = edgesOf('long', c);
        expect(keptFrom(c, days)).toBeLessThanOrEqual(first - (first % 86_400));
      }),
    );
  });

  it('holds nothing that is not too late already, with a day to spare', () => {
    fc.assert(
      fc.property(instants, fc.nat(3_600), retentions, (asOf, behind, days) => {
        expect(keptFrom(asOf - behind, days) + 86_400).toBeLessThan(tooLateBefore(asOf, days));
      }),
    );
  });
});
