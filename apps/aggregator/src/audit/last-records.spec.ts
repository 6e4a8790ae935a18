import { describe, expect, it } from '@jest/globals';
import { lastRecords, namedBucketOf } from './last-records.js';

const record = (offset: number, key: string | null, value: string | null) => ({
  offset: String(offset),
  timestamp: 0,
  key: key === null ? null : Buffer.from(key),
  value: value === null ? null : Buffer.from(value),
  headers: {},
});

describe('lastRecords', () => {
  it('keep the last of a key, not the greatest, with its place', () => {
    const read = lastRecords(3, [
      record(1, 'a', '{"revision":"9"}'),
      record(2, 'b', `{"x":"1","revision":"${2n ** 200n}","y":2}`),
      record(4, 'a', '{"revision":"7"}'),
    ]);
    expect([...read.values()]).toEqual([
      { key: 'a', revision: 7n, partition: 3, offset: 4n },
      { key: 'b', revision: 2n ** 200n, partition: 3, offset: 2n },
    ]);
  });

  it('pass over what has no key or revision', () => {
    const read = lastRecords(0, [record(1, null, '{"revision":"1"}'), record(2, 'a', null), record(3, 'b', 'x')]);
    expect(read.size).toBe(0);
  });
});

describe('namedBucketOf', () => {
  it('reads the keys of each dataset and of no other', () => {
    expect(namedBucketOf('jettonMinute', '0:aa|minute|60')).toEqual({ jetton: '0:aa', pool: '', start: 60 });
    expect(namedBucketOf('jettonDay', '0:aa|day|86400')).toEqual({ jetton: '0:aa', pool: '', start: 86_400 });
    expect(namedBucketOf('poolMinute', '0:aa||minute|60')).toEqual({ jetton: '0:aa', pool: '', start: 60 });
    expect(namedBucketOf('poolMinute', '0:aa|0:bb|minute|60')).toMatchObject({ pool: '0:bb' });
    for (const key of ['0:aa|hour|60', '0:aa||minute|60', '0:aa', '', '0:aa|minute|x']) {
      expect(namedBucketOf('jettonMinute', key)).toBeUndefined();
    }
  });
});
