import { describe, expect, it } from '@jest/globals';
import { KeptBodies } from './kept-bodies.js';

const large = () => Buffer.alloc(1024 * 1024 + 1);

describe('KeptBodies', () => {
  it('gives the same bytes for a tag and makes them once', () => {
    const bodies = new KeptBodies(10_000);
    let made = 0;
    const make = () => {
      made += 1;
      return Buffer.from('body');
    };
    const first = bodies.get('"a"', make);
    expect(bodies.get('"a"', make)).toBe(first);
    expect(bodies.get('"b"', make)).not.toBe(first);
    expect(made).toBe(2);
  });

  it('stays within its bytes, the oldest first, and keeps no body of more than a MiB', () => {
    const bodies = new KeptBodies(2_500);
    for (let index = 0; index < 50; index += 1) {
      bodies.get(`"${index}"`, () => Buffer.alloc(1_000));
      expect(bodies.bytes).toBeLessThanOrEqual(2_500);
    }
    const wide = new KeptBodies(2 ** 30);
    expect(wide.get('"large"', large)).not.toBe(wide.get('"large"', large));
    expect(wide.bytes).toBe(0);
  });
});
