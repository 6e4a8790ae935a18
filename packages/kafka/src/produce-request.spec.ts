import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { encodeProduce, isPlainRequest, type ProduceArguments } from './produce-request.js';

const require = createRequire(import.meta.url);
type Encode = (options: ProduceArguments) => { encode(): Promise<{ readonly buffer: Buffer }> };
// As it is on disk, not as it is mended: the copy in the require cache may be ours.
const original = require('kafkajs/src/protocol/requests/produce/v3/request') as Encode;

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const timestamp = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2099, 0, 1) }).map(String);
const headers = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), value, { maxKeys: 9 });
const message = fc.record(
  { key: fc.oneof(fc.constant(null), value), value, timestamp, headers },
  { requiredKeys: ['key', 'value', 'timestamp'] },
);
const request = fc.record({
  acks: fc.constant(-1),
  timeout: fc.integer({ min: 1, max: 60_000 }),
  topicData: fc.array(
    fc.record({
      topic: fc.stringMatching(/^[a-z._-]{1,20}$/),
      partitions: fc.array(
        fc.record({ partition: fc.nat(100), messages: fc.array(message, { minLength: 1, maxLength: 200 }) }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 3 },
  ),
});

type Messages = ProduceArguments['topicData'][number]['partitions'][number]['messages'];
const isPlain = (messages: Messages, more = {}): boolean =>
  isPlainRequest({
    acks: -1,
    timeout: 1,
    topicData: [{ topic: 't', partitions: [{ partition: 0, messages }] }],
    ...more,
  });

describe('encodeProduce', () => {
  it('writes the very bytes that kafkajs writes', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (options) => {
        const theirs = await original(options).encode();
        expect(encodeProduce(options).equals(theirs.buffer)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves to kafkajs what is not plain: headers of several values, no time, tombstones, compression, transactions', () => {
    const plain = { value: 'x', timestamp: '1' };
    expect(isPlain([plain])).toBe(true);
    expect(isPlain([plain, { ...plain, key: 'k', headers: { one: 'a', other: Buffer.from('b') } }])).toBe(true);
    expect(isPlain([{ ...plain, headers: { several: ['a', 'b'] } }])).toBe(false);
    expect(isPlain([{ ...plain, headers: { none: undefined } }])).toBe(false);
    expect(isPlain([{ value: 'x' }])).toBe(false);
    expect(isPlain([{ ...plain, value: null }])).toBe(false);
    expect(isPlain([plain], { compression: 1 })).toBe(false);
    expect(isPlain([plain], { transactionalId: 'a' })).toBe(false);
  });
});
