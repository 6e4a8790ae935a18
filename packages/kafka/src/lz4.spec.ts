import { describe, expect, it } from '@jest/globals';
import { compressLz4, decompressLz4 } from './lz4.js';

describe('lz4 frames', () => {
  it('give back what went in, compressible or not, also nothing', () => {
    const noise = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * index * 2_654_435_761) >>> 24));
    for (const content of [Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(1_000_000, 'trade '), noise]) {
      expect(decompressLz4(compressLz4(content), 8 * 1024 * 1024).equals(content)).toBe(true);
    }
  });

  it('are refused when they unpack to more than the bound, and when they are no frames', () => {
    const frame = compressLz4(Buffer.alloc(100_000, 'x'));
    expect(() => decompressLz4(frame, 1_000)).toThrow(RangeError);
    expect(() => decompressLz4(Buffer.from('no frame at all'), 1_000)).toThrow('invalid magic number');
  });
});
