import { describe, expect, it } from '@jest/globals';
import { array, assert, bigInt, oneof, property } from 'fast-check';
import { RowBinaryReader } from './row-binary-reader.js';

/** Values as RowBinary has them, the least byte first. */
function bytesOf(values: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(16 * values.length);
  values.forEach((value, index) => {
    bytes.writeBigUInt64LE(value & (2n ** 64n - 1n), 16 * index);
    bytes.writeBigUInt64LE(value >> 64n, 16 * index + 8);
  });
  return bytes;
}

describe('a RowBinaryReader', () => {
  it('reads each UInt128 as it is, whichever came before it', () => {
    // Values that differ in one of their four words, and many that are repeated.
    const near = bigInt(0n, 3n).chain((low) => bigInt(0n, 3n).map((word) => low + (word << 32n) + (low << 96n)));
    const values = array(oneof(near, bigInt(0n, 2n ** 128n - 1n)), { maxLength: 50 });
    assert(
      property(values, (drawn) => {
        const reader = new RowBinaryReader(bytesOf(drawn));
        expect(drawn.map(() => reader.uint128())).toEqual(drawn);
        expect(reader.isDone).toBe(true);
      }),
    );
  });

  it('refuses a UInt128 that is cut off, also after a whole one', () => {
    const reader = new RowBinaryReader(bytesOf([7n, 7n]).subarray(0, 31));
    expect(reader.uint128()).toBe(7n);
    expect(() => reader.uint128()).toThrow(RangeError);
  });
});
