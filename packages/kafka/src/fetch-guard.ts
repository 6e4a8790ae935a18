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

/**
 * Makes kafkajs check the checksum of every record batch, which it does not by itself, and say where a batch lies that it
 * cannot decode: its own errors name neither topic nor offset. Global to the process, like kafkajs's codecs.
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
      for (const batch of recordBatchesOf(answer, version)) checkBatch(batch);
      try {
        return await decode(answer);
      } catch (error) {
        throw (await located(recordBatchesOf(answer, version), decodeAlone)) ?? error;
      }
    };
  }
}

/** @throws UndecodableBatchError */
export function checkBatch({ topic, partition, baseOffset, bytes, checksum }: RawRecordBatch): void {
  const found = crc32c(bytes, batchLayout.checkedFrom);
  if (found !== checksum) {
    const reason = `its checksum is ${found.toString(16)} and should be ${checksum.toString(16)}`;
    throw new UndecodableBatchError(topic, partition, baseOffset, reason);
  }
  const codec = bytes.readInt16BE(batchLayout.attributes) & codecMask;
  if (codec > codecMax)
    throw new UndecodableBatchError(topic, partition, baseOffset, `its codec ${codec} is not known`);
}

async function located(
  batches: Iterable<RawRecordBatch>,
  decodeAlone: (bytes: Buffer) => Promise<unknown>,
): Promise<UndecodableBatchError | undefined> {
  for (const { topic, partition, baseOffset, bytes } of batches) {
    try {
      await decodeAlone(bytes);
    } catch (error) {
      return new UndecodableBatchError(topic, partition, baseOffset, asError(error).message);
    }
  }
  return undefined;
}
