import { describe, expect, it } from '@jest/globals';
import { UndecodableBatchError } from '@jetton-analytics/kafka';
import { AdminError } from '../admin-error.js';
import { placeOf } from './group-place.js';
import { standsAt } from './skip-offset.js';

const batch = (offset: string, lastOffset: string) =>
  new UndecodableBatchError('trades', 0, offset, 'its checksum is wrong', { lastOffset, timestampMs: 0 });
const group = (committed: string | undefined, low = '0', high = '100') => ({ low, high, committed });

describe('placeOf', () => {
  it('is where consumption would go on', () => {
    expect(placeOf(group('7'))).toBe('7');
    expect(placeOf(group(undefined, '3'))).toBe('3');
    expect(placeOf(group('2', '3'))).toBe('3');
    expect(placeOf(group('101'))).toBe('0');
    expect(placeOf(group('100'))).toBe('100');
  });
});

describe('standsAt', () => {
  it('lets a group that stands at the batch, or inside of it, be moved', () => {
    for (const committed of ['5', '7', '9']) expect(standsAt(batch('5', '9'), group(committed))).toBe(true);
  });

  it('finds nothing to do where the group is behind the batch', () => {
    expect(standsAt(batch('5', '9'), group('10'))).toBe(false);
  });

  it('never skips records that can be read', () => {
    expect(() => standsAt(batch('5', '9'), group('4'))).toThrow('1 records before the batch at 5 are not consumed yet');
    expect(() => standsAt(batch('5', '9'), group(undefined))).toThrow(AdminError);
  });

  it('does not believe a header that leads out of the log or backwards', () => {
    expect(() => standsAt(batch('5', '100'), group('5'))).toThrow('the header of the batch at offset 5 is broken too');
    expect(() => standsAt(batch('5', '4'), group('5'))).toThrow(AdminError);
  });
});
