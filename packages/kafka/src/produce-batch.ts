import { crc32c } from './crc32c.js';

/** A message as kafkajs hands it to its encoder. */
export interface PlainMessage {
  readonly key?: Buffer | string | null;
  readonly value: Buffer | string | null;
  /** Unix ms as text. */
  readonly timestamp?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Of the record batch format 2: its fixed part, the place the checksum counts from, its number. */
const headerBytes = 61;
const checkedFrom = 21;
const magic = 2;
/** The length does not count itself and the base offset before it. */
const lengthFrom = 12;
/** The attributes of a record. */
const attributesBytes = 1;
/** Length of a key that is null. */
const none = -1;

/** Messages with the bytes each takes, so that a request is written into one buffer of the right size. */
export interface SizedBatch {
  readonly messages: readonly PlainMessage[];
  /** Of the whole batch. */
  readonly bytes: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly bodyBytes: readonly number[];
}

/** What is encoded here: messages with a value and a time, and headers with one value each. */
export function isPlain({ value, timestamp, headers }: PlainMessage): boolean {
  return (
    value !== null && timestamp !== undefined && (headers === undefined || Object.values(headers).every(isContent))
  );
}

const isContent = (content: unknown): content is Buffer | string =>
  typeof content === 'string' || Buffer.isBuffer(content);

/** The batch must have a message. */
export function sizeBatch(messages: readonly PlainMessage[]): SizedBatch {
  let firstMs = Infinity;
  let lastMs = -Infinity;
  for (const { timestamp } of messages) {
    const ms = Number(timestamp);
    if (ms < firstMs) firstMs = ms;
    if (ms > lastMs) lastMs = ms;
  }
  let bytes = headerBytes;
  const bodyBytes = messages.map(({ key, value, timestamp, headers }, offset) => {
    const deltas = sizeOf(Number(timestamp) - firstMs) + sizeOf(offset);
    const keyBytes = key === null || key === undefined ? sizeOf(none) : sizeOfContent(key);
    const body = attributesBytes + deltas + keyBytes + sizeOfContent(value ?? '') + sizeOfHeaders(headers);
    bytes += sizeOf(body) + body;
    return body;
  });
  return { messages, bytes, firstMs, lastMs, bodyBytes };
}

/** Writes a record batch, format 2, uncompressed and not idempotent, and gives the place after it. */
export function writeBatch(target: Buffer, start: number, batch: SizedBatch): number {
  const { messages, bytes, firstMs, lastMs, bodyBytes } = batch;
  let at = target.writeBigInt64BE(0n, start);
  at = target.writeInt32BE(bytes - lengthFrom, at);
  at = target.writeInt32BE(0, at);
  at = target.writeInt8(magic, at);
  const checksumAt = at;
  at = target.writeInt16BE(0, at + 4);
  at = target.writeInt32BE(messages.length - 1, at);
  at = target.writeBigInt64BE(BigInt(firstMs), at);
  at = target.writeBigInt64BE(BigInt(lastMs), at);
  at = target.writeBigInt64BE(-1n, at);
  at = target.writeInt16BE(0, at);
  at = target.writeInt32BE(0, at);
  at = target.writeInt32BE(messages.length, at);
  for (const [offset, { key, value, timestamp, headers = {} }] of messages.entries()) {
    at = writeNumber(target, at, bodyBytes[offset] ?? 0);
    at = target.writeInt8(0, at);
    at = writeNumber(target, at, Number(timestamp) - firstMs);
    at = writeNumber(target, at, offset);
    at = key === null || key === undefined ? writeNumber(target, at, none) : writeContent(target, at, key);
    at = writeContent(target, at, value ?? '');
    const fields = Object.entries(headers);
    at = writeNumber(target, at, fields.length);
    for (const [name, content] of fields) {
      at = writeContent(target, at, name);
      at = writeContent(target, at, isContent(content) ? content : '');
    }
  }
  target.writeUInt32BE(crc32c(target, start + checkedFrom, at), checksumAt);
  return at;
}

function sizeOfContent(content: Buffer | string): number {
  const bytes = Buffer.byteLength(content);
  return sizeOf(bytes) + bytes;
}

function sizeOfHeaders(headers: PlainMessage['headers'] = {}): number {
  const fields = Object.entries(headers);
  return fields.reduce(
    (sum, [name, content]) => sum + sizeOfContent(name) + sizeOfContent(isContent(content) ? content : ''),
    sizeOf(fields.length),
  );
}

/** Length and bytes. */
function writeContent(target: Buffer, start: number, value: Buffer | string): number {
  const at = writeNumber(target, start, Buffer.byteLength(value));
  return at + (typeof value === 'string' ? target.write(value, at, 'utf8') : value.copy(target, at));
}

/** A number as zigzag: 0, −1, 1, −2 … become 0, 1, 2, 3 … Whole, below 2^52. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function sizeOf(value: number): number {
  let size = 1;
  for (let rest = zigzag(value); rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

function writeNumber(target: Buffer, start: number, value: number): number {
  let at = start;
  let rest = zigzag(value);
  for (; rest >= 128; rest = Math.floor(rest / 128)) {
    target[at] = (rest % 128) | 128;
    at += 1;
  }
  target[at] = rest;
  return at + 1;
}
