import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { CompressedBodies } from './compressed-bodies.js';

const body = Buffer.from('0123456789'.repeat(500));

describe('CompressedBodies', () => {
  it('compresses from 1 KiB on, where the client takes it', () => {
    const bodies = new CompressedBodies(1e6);
    expect(bodies.encodingFor('gzip', 1_023)).toBeUndefined();
    expect(bodies.encodingFor('gzip', 1_024)).toBe('gzip');
    expect(bodies.encodingFor('gzip', 5e6)).toBeUndefined();
    expect(bodies.encodingFor(undefined, 5_000)).toBeUndefined();
  });

  it('compresses a body once for each of its tag and coding', () => {
    const bodies = new CompressedBodies(1e6);
    const first = bodies.compressed([body], 'gzip', '"a"');
    expect(gunzipSync(first)).toEqual(body);
    expect(bodies.compressed([body], 'gzip', '"a"')).toBe(first);
    expect(bodies.compressed([body], 'br', '"a"')).not.toEqual(first);
    expect(bodies.compressed([body], 'gzip', undefined)).not.toBe(first);
    const inPieces = bodies.compressed([body.subarray(0, 7), body.subarray(7)], 'gzip', '"b"');
    expect(gunzipSync(inPieces)).toEqual(body);
  });

  it('stays within its bytes, the oldest first', () => {
    const bodies = new CompressedBodies(300);
    const first = bodies.compressed([body], 'gzip', '"0"');
    for (let index = 1; index < 50; index += 1) bodies.compressed([body], 'gzip', `"${index}"`);
    expect(bodies.bytes).toBeLessThanOrEqual(300);
    expect(bodies.compressed([body], 'gzip', '"0"')).not.toBe(first);
  });
});
