import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { compress, negotiate } from './encodings.js';

describe('negotiate', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.1, br', 'br'],
    ['zstd;q=0, *', 'br'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=abc', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('%j takes %s', (header, encoding) => {
    expect(negotiate(header)).toBe(encoding);
  });
});

describe('compress', () => {
  it('is undone by what the coding says', () => {
    const body = Buffer.from('0123456789'.repeat(500));
    expect(zstdDecompressSync(compress(body, 'zstd'))).toEqual(body);
    expect(brotliDecompressSync(compress(body, 'br'))).toEqual(body);
    expect(gunzipSync(compress(body, 'gzip'))).toEqual(body);
  });
});
