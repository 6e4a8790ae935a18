import { describe, expect, it } from '@jest/globals';
import { Random } from './random.js';

const take = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.next());

describe('Random', () => {
  it('gives the same numbers for the same seed and label, others for another seed or label', () => {
    const numbers = take(Random.seeded(7, 'a'), 100);
    expect(take(Random.seeded(7, 'a'), 100)).toEqual(numbers);
    expect(take(Random.seeded(8, 'a'), 100)).not.toEqual(numbers);
    expect(take(Random.seeded(7, 'b'), 100)).not.toEqual(numbers);
  });

  it('goes on from its state as if it had never stopped', () => {
    const random = Random.seeded(7, 'a');
    take(random, 1000);
    const state = random.state();
    expect(state.every((word) => Number.isInteger(word) && word >= 0 && word <= 0xffffffff)).toBe(true);
    expect(take(new Random(state), 100)).toEqual(take(random, 100));
  });

  it('has the mean and deviation that each distribution promises', () => {
    const random = Random.seeded(1, 'moments');
    const count = 100_000;
    const meanOf = (draw: () => number): number => {
      let sum = 0;
      for (let at = 0; at < count; at += 1) sum += draw();
      return sum / count;
    };
    expect(meanOf(() => random.next())).toBeCloseTo(0.5, 2);
    expect(meanOf(() => random.exponential())).toBeCloseTo(1, 1);
    expect(meanOf(() => random.normal())).toBeCloseTo(0, 1);
    expect(meanOf(() => random.normal() ** 2)).toBeCloseTo(1, 1);
    expect(meanOf(() => Math.log(random.logBetween(1, 100)))).toBeCloseTo(Math.log(10), 1);
    expect(meanOf(() => (random.chance(0.25) ? 1 : 0))).toBeCloseTo(0.25, 2);
  });

  it('picks none from an empty list', () => {
    expect(() => Random.seeded(1, 'empty').pick([])).toThrow(RangeError);
  });
});
