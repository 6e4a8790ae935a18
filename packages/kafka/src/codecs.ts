import { promisify } from 'node:util';
import { constants, gunzip, gzip, zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';
import snappyCodec from 'kafkajs-snappy';
import { compressLz4, decompressLz4 } from './lz4.js';
import { asError, FatalConsumerError } from './errors.js';

const { CompressionCodecs, CompressionTypes } = kafkajs;

/** A batch that unpacks to more than this is broken or hostile: a broker's own limit for a packed batch is 1 MiB. */
const unpackedBytesMax = 256 * 1024 * 1024;

interface Codec {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

const packGzip = promisify(gzip);
const unpackGzip = promisify(gunzip);
const packZstd = promisify(zstdCompress);
const unpackZstd = promisify(zstdDecompress);

const snappy = snappyCodec();
const codecs: readonly (readonly [keyof typeof CompressionCodecs, string, Codec])[] = [
  [
    CompressionTypes.GZIP,
    'gzip',
    {
      compress: ({ buffer }) => packGzip(buffer, { level: constants.Z_DEFAULT_COMPRESSION }),
      decompress: (buffer) => unpackGzip(buffer, { maxOutputLength: unpackedBytesMax }),
    },
  ],
  [CompressionTypes.Snappy, 'snappy', snappy],
  [
    CompressionTypes.LZ4,
    'lz4',
    {
      compress: async ({ buffer }) => compressLz4(buffer),
      decompress: async (buffer) => decompressLz4(buffer, unpackedBytesMax),
    },
  ],
  [
    CompressionTypes.ZSTD,
    'zstd',
    {
      compress: ({ buffer }) => packZstd(buffer),
      decompress: (buffer) => unpackZstd(buffer, { maxOutputLength: unpackedBytesMax }),
    },
  ],
];

let registered = false;

/** Registers gzip, snappy, lz4 and zstd with kafkajs, whose registry is global to the process. */
export function registerCodecs(): void {
  if (registered) return;
  registered = true;
  for (const [type, name, codec] of codecs) {
    CompressionCodecs[type] = () => ({
      compress: (encoder: { buffer: Buffer }) => codec.compress(encoder),
      decompress: async (buffer: Buffer) => {
        try {
          return await codec.decompress(buffer);
        } catch (error) {
          // kafkajs would retry a plain error and restart the consumer for ever: the bytes will not get better.
          throw new FatalConsumerError(`a ${name} batch cannot be unpacked: ${asError(error).message}`, {
            cause: error,
          });
        }
      },
    });
  }
}
