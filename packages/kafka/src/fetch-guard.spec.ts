import { describe, expect, it } from '@jest/globals';
import { crc32c } from './crc32c.js';
import { faultOf } from './fetch-guard.js';
import { batchLayout, recordBatchesOf } from './record-batches.js';

const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const int32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer).swap32();
const int64 = (value: bigint) => Buffer.from(BigInt64Array.of(value).buffer).swap64();
const text = (value: string) => Buffer.concat([int16(value.length), Buffer.from(value)]);

function recordBatch(baseOffset: bigint, content: string, attributes = 0): Buffer {
  const bytes = Buffer.alloc(batchLayout.headerBytes + content.length);
  bytes.writeBigInt64BE(baseOffset);
  bytes.writeInt32BE(bytes.length - 12, batchLayout.length);
  bytes.writeInt8(2, batchLayout.magic);
  bytes.writeInt16BE(attributes, batchLayout.attributes);
  bytes.write(content, batchLayout.headerBytes);
  bytes.writeUInt32BE(crc32c(bytes, batchLayout.checkedFrom), batchLayout.checksum);
  return bytes;
}

/** An answer to a fetch with one topic of one partition, laid out as Kafka's protocol guide has it. */
function answer(version: number, records: Buffer, aborted = 0): Buffer {
  return Buffer.concat([
    int32(0),
    ...(version >= 7 ? [int16(0), int32(0)] : []),
    int32(1),
    text('trades'),
    int32(1),
    int32(5),
    int16(0),
    int64(9n),
    int64(9n),
    ...(version >= 5 ? [int64(0n)] : []),
    int32(aborted),
    Buffer.alloc(16 * aborted),
    ...(version >= 11 ? [int32(-1)] : []),
    int32(records.length),
    records,
  ]);
}

const only = (records: Buffer) => {
  const [batch] = recordBatchesOf(answer(11, records), 11);
  if (!batch) throw new Error('no batch');
  return batch;
};

describe('crc32c', () => {
  it('agrees with the check value of the algorithm and the vectors of RFC 3720, B.4', () => {
    const ascending = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
    expect(crc32c(ascending)).toBe(0x46dd794e);
    expect(crc32c(Buffer.concat([Buffer.alloc(3, 7), ascending, Buffer.alloc(2)]), 3, 35)).toBe(0x46dd794e);
  });
});

describe('recordBatchesOf', () => {
  it.each([4, 5, 6, 7, 8, 9, 10, 11])('finds each batch in an answer of version %i', (version) => {
    const records = Buffer.concat([recordBatch(40n, 'first'), recordBatch(9_007_199_254_740_993n, 'second')]);
    const found = [...recordBatchesOf(answer(version, records, 2), version)];
    expect(found.map(({ topic, partition, baseOffset }) => [topic, partition, baseOffset])).toEqual([
      ['trades', 5, '40'],
      ['trades', 5, '9007199254740993'],
    ]);
    expect(found.map(faultOf)).toEqual([undefined, undefined]);
    expect(found.map(({ isFirst }) => isFirst)).toEqual([true, false]);
  });

  it('leaves out a batch that the size limit of the fetch cut off, wherever it was cut', () => {
    const whole = recordBatch(1n, 'whole');
    const cut = recordBatch(2n, 'cut off');
    for (let length = 0; length < cut.length; length += 1) {
      const records = Buffer.concat([whole, cut.subarray(0, length)]);
      expect([...recordBatchesOf(answer(11, records), 11)]).toHaveLength(1);
    }
  });

  it('finds none in an empty partition', () => {
    expect([...recordBatchesOf(answer(11, Buffer.alloc(0)), 11)]).toEqual([]);
  });
});

describe('faultOf', () => {
  it('finds a batch whose bytes changed, at any byte that the checksum covers', () => {
    const bytes = recordBatch(3n, 'content');
    for (let index = batchLayout.checkedFrom; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed[index] ?? 0) ^ 0x10, index);
      expect(faultOf(only(changed))).toMatch(/^its checksum is /);
    }
  });

  it('finds a codec that Kafka does not have and takes the five it has', () => {
    expect(faultOf(only(recordBatch(3n, 'content', 5)))).toBe('its codec 5 is not known');
    for (const codec of [0, 1, 2, 3, 4]) expect(faultOf(only(recordBatch(3n, 'x', codec)))).toBeUndefined();
  });
});
