import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { splitLines, type Line } from './split-lines.js';

async function linesOf(bytes: Buffer, chunkBytes: number, bytesMax?: number): Promise<Line[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const all: Line[] = [];
  for await (const lines of splitLines(chunks(), bytesMax)) all.push(...lines);
  return all;
}

const shown = (lines: readonly Line[]) => lines.map(({ number, bytes }) => `${number}:${bytes?.toString('utf8')}`);

describe('splitLines', () => {
  it('gives the same lines however the bytes come in pieces', async () => {
    const content = fc.array(fc.constantFrom('a', 'é🐸', '', ' ', '\r', 'long '.repeat(9)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (parts, chunkBytes, closed) => {
        const text = parts.join('\n') + (closed ? '\n' : '');
        const expected = text
          .split('\n')
          .map((line, at) => [at + 1, line.replace(/\r$/, '')] as const)
          .filter(([, line]) => line.trim() !== '')
          .map(([number, line]) => `${number}:${line}`);
        expect(shown(await linesOf(Buffer.from(text), chunkBytes))).toEqual(expected);
      }),
    );
  });

  it('passes over a line beyond the bound, names it, and goes on with the next', async () => {
    const text = `ok\n${'x'.repeat(50)}\nfine\n${'y'.repeat(11)}\n${'z'.repeat(10)}`;
    for (const chunkBytes of [1, 7, 1000]) {
      const lines = await linesOf(Buffer.from(text), chunkBytes, 10);
      expect(shown(lines)).toEqual(['1:ok', '2:undefined', '3:fine', '4:undefined', `5:${'z'.repeat(10)}`]);
    }
  });

  it('keeps bytes that are no text', async () => {
    const lines = await linesOf(Buffer.from([0xff, 10, 0x00, 0xfe, 13, 10]), 2);
    expect(lines.map(({ bytes }) => [...(bytes ?? [])])).toEqual([[0xff], [0x00, 0xfe]]);
  });
});
