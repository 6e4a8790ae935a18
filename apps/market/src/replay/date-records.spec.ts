import { describe, expect, it } from '@jest/globals';
import { RecordDates } from './date-records.js';

const undated = (eventTimeSeconds?: number) => ({ value: Buffer.from('x'), eventTimeSeconds });

describe('RecordDates', () => {
  it('dates a record one second after its event began, and counts on from batch to batch', () => {
    const dates = new RecordDates();
    const records = [
      ...dates.date([undated(1_641_340_802), undated(1_641_340_800)]),
      ...dates.date([undated(1_641_340_900)]),
    ];
    expect(records.map(({ timestampMs }) => timestampMs)).toEqual([
      1_641_340_803_000, 1_641_340_801_000, 1_641_340_901_000,
    ]);
    expect(records.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  });

  it('gives one without a time that of the one before, at the start that of the first that has one', () => {
    const dates = new RecordDates();
    const times = (seconds: (number | undefined)[]) =>
      dates.date(seconds.map((second) => undated(second))).map(({ timestampMs }) => timestampMs);
    expect(times([undefined, 1_641_340_802, undefined])).toEqual([
      1_641_340_803_000, 1_641_340_803_000, 1_641_340_803_000,
    ]);
    expect(times([undefined, 1_641_340_900])).toEqual([1_641_340_803_000, 1_641_340_901_000]);
  });

  it('takes the first instant of the feed while a file has shown no time at all', () => {
    const dates = new RecordDates();
    expect(dates.date([undated()])[0]?.timestampMs).toBe(Date.UTC(2019, 0, 1));
    expect(dates.date([undated(), undated(1_641_340_802)])[0]?.timestampMs).toBe(1_641_340_803_000);
  });
});
