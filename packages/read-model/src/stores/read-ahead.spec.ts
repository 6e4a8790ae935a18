import { describe, expect, it } from '@jest/globals';
import { RowBinaryReader } from '@jetton-analytics/clickhouse';
import { readAhead } from './read-ahead.js';

const page = (number: number) => new RowBinaryReader(Buffer.from([number]));
const spans = [0, 1, 2, 3, 4];

describe('pages that are read ahead', () => {
  it('come in order, whichever is answered first, with two on their way while one is used', async () => {
    const answers = spans.map(() => Promise.withResolvers<RowBinaryReader>());
    const asked: number[] = [];
    const pages = readAhead(spans, (span) => {
      asked.push(span);
      return answers[span]?.promise ?? Promise.reject(new RangeError(`no page ${span}`));
    });
    for (const span of spans.toReversed()) answers[span]?.resolve(page(span));
    const seen: number[] = [];
    for await (const one of pages) {
      seen.push(one.uint8());
      expect(asked.length).toBe(Math.min(spans.length, seen.length + 2));
    }
    expect(seen).toEqual(spans);
  });

  it('end with the failure of the first one that failed, and ask for no more', async () => {
    const asked: number[] = [];
    const pages = readAhead(spans, async (span) => {
      asked.push(span);
      if (span > 0) throw new Error(`page ${span}`);
      return page(span);
    });
    await pages.next();
    await expect(pages.next()).rejects.toThrow('page 1');
    expect(await pages.next()).toEqual({ done: true, value: undefined });
    expect(asked).toEqual([0, 1, 2]);
  });

  it('are none where there is nothing to read', async () => {
    expect(await readAhead([], () => Promise.reject(new Error('asked'))).next()).toEqual({
      done: true,
      value: undefined,
    });
  });
});
