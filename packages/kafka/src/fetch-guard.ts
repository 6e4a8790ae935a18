import { createRequire } from 'node:module';
import { crc32c } from './crc32c.js';
import { asError, UndecodableBatchError } from './errors.js';
import { batchLayout, type RawRecordBatch, recordBatchesOf } from './record-batches.js';

/** What kafkajs 2.2.4 keeps in the files named below. */
interface FetchResponse {
  decode(answer: Buffer): Promise<unknown>;
}
type Decode = (decoder: object) => Promise<unknown>;
type Decoder = new (bytes: Buffer) => object;

/** Versions of the fetch request that carry record batches and that kafkajs speaks. */
const versions = [4, 5, 6, 7, 8, 9, 10, 11];
const codecMask = 0x07;
const codecMax = 4;

let guarded = false;

/** More than any answer holds: kafkajs and {@link recordBatchesOf} take a batch that long for one that was cut off. */
const lengthCutOff = 0x7fff_ffff;

/**
 * Makes kafkajs check the checksum of every record batch, which it does not by itself, and say where a batch lies that it
 * cannot decode: its own errors name neither topic nor offset. What lies before such a batch in the same answer is handed
 * out first: the consumer stops when the batch is next, so that its offset stands exactly there. Global to the process,
 * like kafkajs's codecs.
 */
export function guardFetches(): void {
  if (guarded) return;
  guarded = true;
  const require = createRequire(import.meta.url);
  const decodeBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder') as Decode;
  const BatchDecoder = require('kafkajs/src/protocol/decoder') as Decoder;
  const decodeAlone = (bytes: Buffer) => decodeBatch(new BatchDecoder(bytes));
  for (const version of versions) {
    const response = require(`kafkajs/src/protocol/requests/fetch/v${version}/response`) as FetchResponse;
    const decode = response.decode.bind(response);
    response.decode = async (answer) => {
      for (const batch of recordBatchesOf(answer, version)) {
        const fault = faultOf(batch);
        if (fault !== undefined) cutOff(batch, fault);
      }
      // Each turn but the last cuts the answer shorter.
      for (;;) {
        try {
          return await decode(answer);
        } catch (error) {
          const found = await firstUnreadable(recordBatchesOf(answer, version), decodeAlone);
          if (found === undefined) throw error;
          cutOff(found.batch, found.reason);
        }
      }
    };
  }
}

/** Ends the partition's part of the answer before the batch. @throws UndecodableBatchError when nothing lies before it */
function cutOff(batch: RawRecordBatch, reason: string): void {
  if (batch.isFirst) throw undecodable(batch, reason);
  batch.bytes.writeInt32BE(lengthCutOff, batchLayout.length);
}

const undecodable = (
  { topic, partition, baseOffset, lastOffset, timestampMs }: RawRecordBatch,
  reason: string,
): UndecodableBatchError =>
  new UndecodableBatchError(topic, partition, baseOffset, reason, { lastOffset, timestampMs });

/** What is wrong with a batch as far as its header tells; undefined: nothing. */
export function faultOf({ bytes, checksum }: RawRecordBatch): string | undefined {
  const found = crc32c(bytes, batchLayout.checkedFrom);
  if (found !== checksum) return `its checksum is ${found.toString(16)} and should be ${checksum.toString(16)}`;
  const codec = bytes.readInt16BE(batchLayout.attributes) & codecMask;
  return codec > codecMax ? `its codec ${codec} is not known` : undefined;
}

async function firstUnreadable(
  batches: Iterable<RawRecordBatch>,
  decodeAlone: (bytes: Buffer) => Promise<unknown>,
): Promise<{ batch: RawRecordBatch; reason: string } | undefined> {
  for (const batch of batches) {
    try {
      await decodeAlone(batch.bytes);
    } catch (error) {
      return { batch, reason: asError(error).message };
    }
  }
  return undefined;
}
