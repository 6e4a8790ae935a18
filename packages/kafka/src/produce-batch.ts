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
/** Attributes, a key that is null and a count of 0 headers take a byte each. */
const fixedBodyBytes = 3;

/** Messages with the bytes each takes, so that a request is written into one buffer of the right size. */
export interface SizedBatch {
  readonly messages: readonly PlainMessage[];
  /** Of the whole batch. */
  readonly bytes: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly bodyBytes: readonly number[];
}

/** What is encoded here: messages without key and headers and with a time. */
export function isPlain({ key, value, timestamp, headers }: PlainMessage): boolean {
  return (key === null || key === undefined) && value !== null && timestamp !== undefined && headers === undefined;
}

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
  const bodyBytes = messages.map(({ value, timestamp }, offset) => {
    const valueBytes = value === null ? 0 : Buffer.byteLength(value);
    const deltas = sizeOf(Number(timestamp) - firstMs) + sizeOf(offset);
    const body = fixedBodyBytes + deltas + sizeOf(valueBytes) + valueBytes;
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
  for (const [offset, { value, timestamp }] of messages.entries()) {
    at = writeNumber(target, at, bodyBytes[offset] ?? 0);
    at = target.writeInt8(0, at);
    at = writeNumber(target, at, Number(timestamp) - firstMs);
    at = writeNumber(target, at, offset);
    at = writeNumber(target, at, -1);
    at = writeValue(target, at, value ?? '');
    at = writeNumber(target, at, 0);
  }
  target.writeUInt32BE(crc32c(target, start + checkedFrom, at), checksumAt);
  return at;
}

function writeValue(target: Buffer, start: number, value: Buffer | string): number {
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
