import { describe, expect, it } from '@jest/globals';
import { steps, windows } from '@jetton-analytics/figures';
import * as fc from 'fast-check';
import { anchorsOf, cutMinutes, edgesOf, minuteOf, stepWindows } from './edges.js';

const instants = fc.integer({ min: 1_600_000_000, max: 1_900_000_000 });

describe('the edges of a step', () => {
  it('are C, C − w and C − 2w of each of its windows, ascending, each once', () => {
    const c = 1_767_261_617;
    expect(edgesOf('short', c)).toEqual([c - 7_200, c - 3_600, c - 1_800, c - 900, c]);
    expect(edgesOf('mid', c)).toEqual([c - 172_800, c - 86_400, c - 43_200, c - 21_600, c]);
    expect(edgesOf('long', c)).toEqual([c - 5_184_000, c - 2_592_000, c - 1_209_600, c - 604_800, c]);
  });

  it('all fall on the same second of a minute, so that one second splits every cut minute', () => {
    fc.assert(
      fc.property(fc.constantFrom(...steps), instants, (step, c) => {
        expect(new Set(edgesOf(step, c).map((edge) => edge % 60))).toEqual(new Set([c % 60]));
      }),
    );
  });

  it('cut the minutes they lie inside of, and none where C is a whole minute', () => {
    fc.assert(
      fc.property(fc.constantFrom(...steps), instants, (step, c) => {
        const edges = edgesOf(step, c);
        const cut = cutMinutes(edges);
        expect(new Set(cut).size).toBe(cut.length);
        for (const minute of cut) expect(minute % 60).toBe(0);
        for (const edge of edges) expect(cut.includes(minuteOf(edge))).toBe(c % 60 !== 0);
      }),
    );
    expect(cutMinutes(edgesOf('long', 1_767_261_600))).toEqual([]);
  });
});

describe('the anchors of a step', () => {
  it('are C and then C − w in the order of its windows, so that prices line up with the rows', () => {
    const c = 1_767_261_617;
    expect(anchorsOf('mid', c)).toEqual([c, c - 21_600, c - 43_200, c - 86_400]);
    for (const step of steps) {
      expect(anchorsOf(step, c)).toEqual([c, ...stepWindows[step].map(({ seconds }) => c - seconds)]);
    }
  });

  it('belong to every window of the service, each in one step', () => {
    expect(steps.flatMap((step) => stepWindows[step])).toEqual([...windows]);
  });
});
