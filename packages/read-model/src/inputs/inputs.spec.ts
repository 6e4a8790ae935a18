import { describe, expect, it } from '@jest/globals';
import { Inputs } from './inputs.js';

const status = { topic: 'trades', lagMessages: '3', lagSeconds: 1, state: 'live', partitions: [], gaps: [] };
const writtenMs = 1_760_000_000_000;
const row = (asOf = 1_760_000_000) => ({
  status: JSON.stringify(status),
  as_of_s: asOf,
  // term 7 above bit 48
  row_version: (7n << 48n) | BigInt(writtenMs),
});

describe('Inputs', () => {
  it('tells what the leader told last', () => {
    const inputs = new Inputs();
    expect([inputs.at(writtenMs), inputs.asOf]).toEqual([[], undefined]);
    inputs.update([row()]);
    expect(inputs.at(writtenMs + 30_000)).toEqual([status]);
    expect(inputs.asOf).toBe(1_760_000_000);
  });

  it('calls an input stalled that nobody has told of for half a minute', () => {
    const inputs = new Inputs();
    inputs.update([row()]);
    expect(inputs.at(writtenMs + 30_001)).toEqual([{ ...status, state: 'stalled' }]);
  });

  it('has no T while the leader has none, and keeps what it knew when a status is broken', () => {
    const inputs = new Inputs();
    inputs.update([row(0)]);
    expect(inputs.asOf).toBeUndefined();
    expect(() => inputs.update([{ ...row(), status: '{"topic":1}' }])).toThrow('Invalid input');
    expect(inputs.at(writtenMs)).toEqual([status]);
  });
});
