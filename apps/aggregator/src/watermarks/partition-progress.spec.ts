import { describe, expect, it } from '@jest/globals';
import { PartitionWatermark } from '@jetton-analytics/common';
import * as fc from 'fast-check';
import { type BatchProgress, PartitionProgress } from './partition-progress.js';

const topic = 'trades';
const atMs = 1_767_261_600_000;

const progressAt = (position: string, inherited?: PartitionWatermark) =>
  new PartitionProgress(topic, 3, position, inherited);
const batch = (maxEventTime: number | null, delays: [number, [number, number][]][] = []): BatchProgress => ({
  maxEventTime,
  delays: new Map(delays.map(([minute, counts]) => [minute, new Map(counts)])),
});

describe('"consumed up to"', () => {
  it('is not known before a record or an end offset was seen', () => {
    expect(progressAt('7').watermark).toEqual({
      topic,
      partition: 3,
      consumedUpToMs: null,
      position: '7',
      endOffset: '7',
      maxEventTime: null,
      delays: [],
      gaps: [],
    });
  });

  it('is the instant at which the end offset was seen, where everything before that offset is durable', () => {
    const progress = progressAt('7');
    expect(progress.endOffsetSeen(atMs, '7')).toBe(true);
    expect(progress.watermark).toMatchObject({ consumedUpToMs: atMs, position: '7', endOffset: '7' });
  });

  it('is not known by an end offset alone, which only tells how much waits', () => {
    const progress = progressAt('7');
    expect(progress.isEndKnown).toBe(false);
    progress.learnEnd('9000');
    expect(progress.isEndKnown).toBe(true);
    expect(progress.watermark).toMatchObject({ consumedUpToMs: null, position: '7', endOffset: '9000' });
    progress.learnEnd('3');
    expect(progress.watermark.endOffset).toBe('9000');
  });

  it('advances with the instants although nothing is traded', () => {
    const progress = progressAt('7');
    for (const instantMs of [atMs, atMs + 1_000, atMs + 2_000]) {
      progress.endOffsetSeen(instantMs, '7');
      expect(progress.watermark.consumedUpToMs).toBe(instantMs);
    }
  });

  it('waits for the record at the end offset: reached later, it is that instant and not the instant of reaching it', () => {
    const progress = progressAt('7');
    progress.batchStarted(atMs - 500);
    expect(progress.endOffsetSeen(atMs, '9')).toBe(false);
    expect(progress.batchDone('8')).toBe(false);
    expect(progress.watermark).toMatchObject({ consumedUpToMs: atMs - 500, position: '8', endOffset: '9' });
    expect(progress.batchDone('9')).toBe(true);
    expect(progress.watermark).toMatchObject({ consumedUpToMs: atMs, position: '9', endOffset: '9' });
  });

  it('is the newest instant whose end offset is reached, where batches take longer than the second between two', () => {
    const progress = progressAt('0');
    progress.endOffsetSeen(atMs, '10');
    progress.batchStarted(atMs - 900);
    progress.endOffsetSeen(atMs + 1_000, '20');
    progress.endOffsetSeen(atMs + 2_000, '20');
    progress.endOffsetSeen(atMs + 3_000, '35');
    expect(progress.pending).toEqual({ fromMs: atMs - 900, toMs: atMs + 3_000 });
    expect(progress.batchDone('12')).toBe(true);
    expect(progress.watermark.consumedUpToMs).toBe(atMs);
    expect(progress.batchDone('19')).toBe(false);
    expect(progress.batchDone('20')).toBe(true);
    expect(progress.watermark.consumedUpToMs).toBe(atMs + 2_000);
    expect(progress.pending).toEqual({ fromMs: atMs + 2_000, toMs: atMs + 3_000 });
    expect(progress.batchDone('40')).toBe(true);
    expect(progress.watermark.consumedUpToMs).toBe(atMs + 3_000);
    expect(progress.pending).toBeUndefined();
  });

  it('keeps a bounded number of end offsets that are not reached, the newest', () => {
    const progress = progressAt('0');
    for (let second = 0; second < 100; second += 1) progress.endOffsetSeen(atMs + second * 1_000, String(10 + second));
    expect(progress.batchDone('50')).toBe(false);
    expect(progress.batchDone('85')).toBe(true);
    expect(progress.watermark.consumedUpToMs).toBe(atMs + 75_000);
  });

  it('is the record time of the next record during a backlog, however late the clock is', () => {
    const progress = progressAt('0');
    progress.endOffsetSeen(atMs, '1000');
    for (const [index, recordMs] of [atMs - 86_400_000, atMs - 80_000_000, atMs - 70_000_000].entries()) {
      progress.batchStarted(recordMs);
      expect(progress.watermark.consumedUpToMs).toBe(recordMs);
      progress.batchDone(String((index + 1) * 100));
      expect(progress.endOffsetSeen(atMs + index * 1_000, '1000')).toBe(false);
      expect(progress.watermark.consumedUpToMs).toBe(recordMs);
    }
  });

  it('never passes a record that is not durable, in any order of events', () => {
    // A partition whose record n is appended at second n + 1, and a consumer that is anywhere behind its end.
    const actions = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('append' as const), records: fc.integer({ min: 1, max: 5 }) }),
        fc.record({ kind: fc.constant('see' as const) }),
        fc.record({ kind: fc.constant('consume' as const), records: fc.integer({ min: 1, max: 7 }) }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(actions, (list) => {
        const progress = progressAt('0');
        let end = 0;
        let position = 0;
        for (const action of list) {
          if (action.kind === 'append') end += action.records;
          else if (action.kind === 'see') progress.endOffsetSeen(end * 1_000 + 999, String(end));
          else if (position < end) {
            progress.batchStarted((position + 1) * 1_000);
            const next = Math.min(end, position + action.records);
            progress.batchDone(String(next));
            position = next;
          }
          const { consumedUpToMs } = progress.watermark;
          // Record `position` is the first that is not durable; it is appended at second position + 1.
          const isReached = action.kind === 'see' && position === end;
          expect(consumedUpToMs ?? 0).toBeGreaterThanOrEqual(isReached ? end * 1_000 + 999 : 0);
          expect(consumedUpToMs ?? 0).toBeLessThanOrEqual((position + 1) * 1_000);
        }
      }),
    );
  });

  it('is known again at the next end offset after a gap', () => {
    const progress = progressAt('0');
    progress.gap('0', '50');
    progress.batchStarted(atMs - 1_000);
    progress.batchDone('60');
    progress.endOffsetSeen(atMs, '60');
    expect(progress.watermark).toMatchObject({ consumedUpToMs: atMs, gaps: [{ from: '0', to: '50' }] });
  });
});

describe('what a watermark carries on', () => {
  it('is the greatest event time of all owners, never a smaller one', () => {
    const first = progressAt('0');
    first.batchDurable(batch(1_000));
    first.batchDurable(batch(900));
    first.batchDurable(batch(null));
    const second = progressAt('5', first.watermark);
    expect(second.watermark.maxEventTime).toBe(1_000);
    second.batchDurable(batch(999));
    expect(second.watermark.maxEventTime).toBe(1_000);
    second.batchDurable(batch(1_001));
    expect(second.watermark.maxEventTime).toBe(1_001);
  });

  it('is also the event time of a former owner’s record that is read after the partition was taken over', () => {
    const former = progressAt('0');
    former.batchDurable(batch(1_000));
    const progress = progressAt('5');
    expect(progress.batchDurable(batch(900))).toBe(true);
    progress.inherit(former.watermark);
    expect(progress.watermark.maxEventTime).toBe(1_000);
    expect(progress.batchDurable(batch(1_000))).toBe(false);
    progress.inherit(progressAt('0').watermark);
    expect(progress.watermark.maxEventTime).toBe(1_000);
  });

  it('is what the former owner counted of delays, and its gaps', () => {
    const first = progressAt('0');
    first.batchDurable(batch(1, [[600, [[2, 5]]]]));
    first.gap('1', '2');
    const second = progressAt('5', first.watermark);
    second.batchDurable(
      batch(1, [
        [
          600,
          [
            [2, 1],
            [3, 4],
          ],
        ],
        [660, [[0, 1]]],
      ]),
    );
    second.gap('7', '9');
    expect(second.watermark).toMatchObject({
      delays: [
        { minute: 600, counts: { '2': 6, '3': 4 } },
        { minute: 660, counts: { '0': 1 } },
      ],
      gaps: [
        { from: '1', to: '2' },
        { from: '7', to: '9' },
      ],
    });
  });

  it('is bounded: delays of the newest 11 minutes and the last 20 gaps, as its schema demands', () => {
    const progress = progressAt('0');
    for (let minute = 0; minute < 100; minute += 1) {
      // Not in order: a backfill walks through history, other partitions' records may lie before.
      progress.batchDurable(batch(1, [[((minute * 37) % 100) * 60, [[1, 1]]]]));
      progress.gap(String(minute), String(minute + 1));
    }
    const { delays, gaps } = PartitionWatermark.parse(progress.watermark);
    expect(delays.map(({ minute }) => minute / 60).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 11 }, (_, index) => 89 + index),
    );
    expect(gaps).toEqual(Array.from({ length: 20 }, (_, index) => ({ from: `${80 + index}`, to: `${81 + index}` })));
  });
});
