import lz4 from 'lz4js';
import { hash as xxh32 } from 'lz4js/xxh32.js';

/** Offset of the flags, and the flag of blocks that do not refer to each other, in the header of an LZ4 frame. */
const flagsOffset = 4;
const checksumOffset = 6;
const blocksIndependent = 0x20;
const blockBytesMax = 4 * 1024 * 1024;

/**
 * An LZ4 frame as brokers accept it: blocks must be marked as independent, and the header's checksum be the second byte
 * of the xxHash of the two bytes before it. The library writes one block per 4 MiB and leaves the mark out, so the input
 * is bounded to the one block for which the mark is true.
 * @throws RangeError above 4 MiB.
 */
export function compressLz4(buffer: Buffer): Buffer {
  if (buffer.length > blockBytesMax) throw new RangeError(`an lz4 batch of more than ${blockBytesMax} bytes`);
  const frame = Buffer.from(lz4.compress(buffer));
  frame[flagsOffset] = 0x40 | blocksIndependent;
  frame[checksumOffset] = (xxh32(0, frame, flagsOffset, 2) >>> 8) & 0xff;
  return frame;
}

/** The content of an LZ4 frame. @throws RangeError above `bytesMax`, Error on a broken frame. */
export function decompressLz4(frame: Buffer, bytesMax: number): Buffer {
  const bound = lz4.decompressBound(frame);
  if (bound > bytesMax) throw new RangeError(`unpacks to more than ${bytesMax} bytes`);
  return Buffer.from(lz4.decompress(frame, bound));
}
