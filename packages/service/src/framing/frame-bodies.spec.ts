import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FrameBodies, SentBodies } from './frame-bodies.js';

describe('bodies kept by both sides of a connection', () => {
  it('are the ones that were sent, in whatever order they are asked for, within their bytes', () => {
    const lengths = fc.array(fc.integer({ min: 1_000, max: 9_000 }), { minLength: 1, maxLength: 12 });
    const asked = fc.array(fc.nat({ max: 11 }), { maxLength: 200 });
    fc.assert(
      fc.property(lengths, asked, (sizes, order) => {
        const bodies = sizes.map((size, index) => Buffer.alloc(size, index + 1));
        const sent = new SentBodies(20_000);
        const kept = new FrameBodies<Buffer>(20_000);
        for (const index of order) {
          const body = bodies[index % bodies.length] ?? Buffer.alloc(0);
          const { name, isThere } = sent.place(body);
          // What goes over the wire where the other side does not have it.
          const got = isThere ? kept.get(name) : Buffer.from(body);
          expect(got?.equals(body)).toBe(true);
          if (name !== 0 && !isThere) kept.add(name, got ?? Buffer.alloc(0));
          expect(kept.bytes).toBeLessThanOrEqual(20_000);
        }
      }),
    );
  });

  it('go as their name alone from the third time on, and short ones and those sent once have none', () => {
    const sent = new SentBodies();
    const body = Buffer.alloc(5_000);
    expect([1, 2, 3, 4].map(() => sent.place(body))).toEqual([
      { name: 0, isThere: false },
      { name: 1, isThere: false },
      { name: 1, isThere: true },
      { name: 1, isThere: true },
    ]);
    const short = Buffer.alloc(1_000);
    expect([1, 2, 3].map(() => sent.place(short).name)).toEqual([0, 0, 0]);
  });
});
