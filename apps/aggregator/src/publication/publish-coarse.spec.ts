import { describe, expect, it } from '@jest/globals';
import { closedBetween, statementsOf } from './publish-coarse.js';

describe('buckets that have ended', () => {
  it('are told once: an end at the first instant was told before, one at the last is told now', () => {
    expect(closedBetween('hour', 7_200, 7_200)).toEqual([]);
    expect(closedBetween('hour', 7_199, 7_200)).toEqual([3_600]);
    expect(closedBetween('hour', 7_200, 14_400)).toEqual([7_200, 10_800]);
    expect(closedBetween('hour', 7_201, 14_399)).toEqual([7_200]);
    expect(closedBetween('day', 86_399, 172_800)).toEqual([0, 86_400]);
  });

  it('are not looked for further back than the windows reach', () => {
    const starts = closedBetween('hour', 0, 1_767_261_600);
    expect(starts).toHaveLength(61 * 24);
    expect(starts.at(-1)).toBe(1_767_261_600 - 3_600);
  });
});

const bucket = (index: number, jettons: number) => ({ bucket_s: index * 3_600, jettons });

describe('the statements over touched buckets', () => {
  it('take every bucket once, however many there are, a large one alone', () => {
    const touched = [bucket(0, 1), bucket(1, 30_000), bucket(2, 1), bucket(3, 1)];
    expect(statementsOf(touched)).toEqual([[0], [3_600], [7_200, 10_800]]);
    const many = Array.from({ length: 200 }, (_, index) => bucket(index, 1));
    expect(statementsOf(many).flat()).toEqual(many.map(({ bucket_s: start }) => start));
    expect(statementsOf(many).map((run) => run.length)).toEqual([72, 72, 56]);
    expect(statementsOf([])).toEqual([]);
  });
});
