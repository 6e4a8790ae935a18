import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';

/** Content codings, the cheapest for what it saves first: 125, 197 and 382 µs for a list of 131 KB, all about 7 times smaller. */
const encodings = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

const compressors: Readonly<Record<Encoding, (body: Buffer) => Buffer>> = {
  zstd: (body) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body) => gzipSync(body, { level: 1 }),
};

export const compress = (body: Buffer, encoding: Encoding): Buffer => compressors[encoding](body);

/**
 * The coding for an Accept-Encoding: the acceptable one with the greatest weight, ours first among equals; undefined for
 * none. Pure. Source: RFC 9110, 12.5.3.
 */
export function negotiate(acceptEncoding: string): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    if (name !== '' && weight >= 0) weights.set(name, weight);
  }
  const rest = weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  let best: { encoding: Encoding; weight: number } | undefined;
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? rest;
    if (weight > Math.max(best?.weight ?? 0, 0)) best = { encoding, weight };
  }
  return best !== undefined && best.weight >= identity ? best.encoding : undefined;
}
