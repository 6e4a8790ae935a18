declare module 'kafkajs-snappy' {
  export default function snappy(): {
    compress(encoder: { buffer: Buffer }): Promise<Buffer>;
    decompress(buffer: Buffer): Promise<Buffer>;
  };
}

declare module 'lz4js' {
  const lz4: {
    compress(input: Uint8Array): Uint8Array;
    decompress(frame: Uint8Array, sizeMax?: number): Uint8Array;
    decompressBound(frame: Uint8Array): number;
  };
  export default lz4;
}

declare module 'lz4js/xxh32.js' {
  export function hash(seed: number, input: Uint8Array, offset: number, length: number): number;
}
