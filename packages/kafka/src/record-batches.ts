/** One record batch (magic 2) as it lies in an answer to a fetch. */
export interface RawRecordBatch {
  readonly topic: string;
  readonly partition: number;
  readonly baseOffset: string;
  /** Offset of its last record, as its header states it. */
  readonly lastOffset: string;
  /** Timestamp of its first record in ms, as its header states it. */
  readonly timestampMs: number;
  /** Whether it is the first of its partition in the answer: nothing good lies before it. */
  readonly isFirst: boolean;
  /** The whole batch, its header included; shares its memory with the answer. */
  readonly bytes: Buffer;
  /** CRC-32C that the header states, over the bytes from `checkedFrom` on. */
  readonly checksum: number;
}

/** Layout of a record batch's header: https://kafka.apache.org/documentation/#recordbatch */
export const batchLayout = {
  length: 8,
  magic: 16,
  checksum: 17,
  checkedFrom: 21,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  headerBytes: 61,
};
const lengthCountedFrom = 12;

/**
 * The whole record batches of an answer to a fetch of version 4 to 11. A batch that the fetch's size limit cut off at the
 * end is left out, as are sets of the old message format.
 */
export function* recordBatchesOf(answer: Buffer, version: number): Generator<RawRecordBatch> {
  const reader = new Reader(answer);
  reader.skip(4); // throttle time
  if (version >= 7) reader.skip(2 + 4); // error code, session
  for (let topics = reader.int32(); topics > 0; topics -= 1) {
    const topic = reader.string();
    for (let partitions = reader.int32(); partitions > 0; partitions -= 1) {
      const partition = reader.int32();
      reader.skip(2 + 8 + 8); // error code, high watermark, last stable offset
      if (version >= 5) reader.skip(8); // log start offset
      reader.skip(Math.max(0, reader.int32()) * 16); // aborted transactions
      if (version >= 11) reader.skip(4); // preferred read replica
      yield* batchesOf(reader.bytes(reader.int32()), topic, partition);
    }
  }
}

function* batchesOf(records: Buffer, topic: string, partition: number): Generator<RawRecordBatch> {
  for (let start = 0; start + batchLayout.headerBytes <= records.length;) {
    const end = start + lengthCountedFrom + records.readInt32BE(start + batchLayout.length);
    if (end > records.length || records[start + batchLayout.magic] !== 2) return;
    const baseOffset = records.readBigInt64BE(start);
    yield {
      topic,
      partition,
      baseOffset: baseOffset.toString(),
      lastOffset: (baseOffset + BigInt(records.readInt32BE(start + batchLayout.lastOffsetDelta))).toString(),
      timestampMs: Number(records.readBigInt64BE(start + batchLayout.firstTimestamp)),
      isFirst: start === 0,
      bytes: records.subarray(start, end),
      checksum: records.readUInt32BE(start + batchLayout.checksum),
    };
    start = end;
  }
}

class Reader {
  private position = 0;

  constructor(private readonly buffer: Buffer) {}

  skip(count: number): void {
    this.position += count;
  }

  int32(): number {
    this.position += 4;
    return this.buffer.readInt32BE(this.position - 4);
  }

  /** Up to `count` bytes; none for -1, which stands for null. */
  bytes(count: number): Buffer {
    const start = this.position;
    this.position += Math.max(0, count);
    return this.buffer.subarray(start, this.position);
  }

  string(): string {
    this.position += 2;
    return this.bytes(this.buffer.readInt16BE(this.position - 2)).toString('utf8');
  }
}
