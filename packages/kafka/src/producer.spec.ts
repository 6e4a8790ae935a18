import { describe, expect, it } from '@jest/globals';
import { runsOfBytes } from './producer.js';

const record = (bytes: number) => ({ value: Buffer.alloc(bytes) });
const sizes = (runs: Iterable<{ value: Buffer | string | null }[]>) =>
  [...runs].map((run) => run.map(({ value }) => value?.length));

describe('runsOfBytes', () => {
  it('keeps the order and stays within the bound', () => {
    const records = [400, 400, 400, 100, 100].map(record);
    expect(sizes(runsOfBytes(records, 1_000))).toEqual([
      [400, 400],
      [400, 100, 100],
    ]);
  });

  it('gives a record larger than the bound a run of its own', () => {
    expect(sizes(runsOfBytes([10, 5_000, 10].map(record), 1_000))).toEqual([[10], [5_000], [10]]);
  });

  it('counts keys and headers, in bytes of UTF-8', () => {
    const heavy = { key: 'é'.repeat(200), value: null, headers: { h: ['x'.repeat(100), Buffer.alloc(100)] } };
    expect(sizes(runsOfBytes([heavy, heavy], 1_300))).toHaveLength(1);
    expect(sizes(runsOfBytes([heavy, heavy], 1_200))).toHaveLength(2);
  });

  it('makes no run of nothing', () => {
    expect([...runsOfBytes([], 1_000)]).toEqual([]);
  });
});
