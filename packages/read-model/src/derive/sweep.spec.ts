import { describe, expect, it } from '@jest/globals';
import { Sweep } from './sweep.js';

function sweepOver(members: string[]) {
  const clock = { ms: 0 };
  const visited: string[] = [];
  const sweep = new Sweep(new Set(members), (member) => {
    visited.push(member);
    clock.ms += 10;
  });
  const now = () => clock.ms;
  const run = () => {
    while (sweep.step(now));
  };
  return { clock, visited, sweep, run };
}

describe('a sweep', () => {
  it('visits every member once for each wish, and a wish during a round makes another round', () => {
    const { clock, visited, sweep, run } = sweepOver(['a', 'b']);
    run();
    expect([visited, sweep.isPending]).toEqual([[], false]);
    sweep.want();
    expect(sweep.step(() => clock.ms)).toBe(true);
    sweep.want();
    run();
    expect([visited, sweep.isPending]).toEqual([['a', 'b'], true]);
    clock.ms += 1_000;
    run();
    expect([visited, sweep.isPending]).toEqual([['a', 'b', 'a', 'b'], false]);
  });

  it('rests after a round for four times what it took', () => {
    const { clock, visited, sweep, run } = sweepOver(['a', 'b']);
    sweep.want();
    run();
    expect(clock.ms).toBe(20);
    sweep.want();
    expect(sweep.dueInMs(clock.ms)).toBe(80);
    clock.ms += 79;
    run();
    expect(visited).toHaveLength(2);
    clock.ms += 1;
    run();
    expect(visited).toHaveLength(4);
  });
});
