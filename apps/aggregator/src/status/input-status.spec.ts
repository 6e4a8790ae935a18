import { describe, expect, it } from '@jest/globals';
import { InputStatus, type PartitionWatermark } from '@jetton-analytics/common';
import { type InputFacts, inputStatusOf } from './input-status.js';

const nowMs = 1_767_261_600_000;

const watermark = (overrides: Partial<PartitionWatermark> = {}): PartitionWatermark => ({
  topic: 'trades',
  partition: 0,
  consumedUpToMs: nowMs - 1_000,
  position: '10',
  endOffset: '10',
  maxEventTime: null,
  delays: [],
  gaps: [],
  ...overrides,
});
const status = (overrides: Partial<InputFacts> = {}) =>
  inputStatusOf({ topic: 'trades', partitions: [watermark()], newestWatermarkMs: nowMs - 500, nowMs, ...overrides });

describe('the status of the input', () => {
  it('is of the shape of its contract, whatever is known', () => {
    for (const partitions of [[undefined], [watermark(), undefined], [watermark({ consumedUpToMs: null })]]) {
      const told = status({ partitions });
      expect(InputStatus.parse(told)).toEqual(told);
    }
  });

  it('is starting until every partition is known to be consumed up to some instant, and its lag that of the others', () => {
    for (const missing of [undefined, watermark({ partition: 1, consumedUpToMs: null })]) {
      expect(status({ partitions: [watermark({ consumedUpToMs: nowMs - 7_000 }), missing] })).toMatchObject({
        state: 'starting',
        lagSeconds: 7,
      });
    }
    expect(status({ partitions: [undefined] })).toMatchObject({ state: 'starting', lagSeconds: 0, lagMessages: '0' });
  });

  it('is live without a backlog, or with one of a minute at most', () => {
    expect(status()).toMatchObject({ state: 'live', lagMessages: '0', lagSeconds: 1 });
    const behind = watermark({ endOffset: '15', consumedUpToMs: nowMs - 60_000 });
    expect(status({ partitions: [behind] })).toMatchObject({ state: 'live', lagMessages: '5', lagSeconds: 60 });
  });

  it('is catching up with a backlog of more than a minute, told by messages and by the partition furthest behind', () => {
    const partitions = [
      watermark({ endOffset: '9007199254740993', position: '0', consumedUpToMs: nowMs - 61_000 }),
      watermark({ partition: 1, endOffset: '12' }),
    ];
    expect(status({ partitions })).toMatchObject({
      state: 'catchingUp',
      lagSeconds: 61,
      lagMessages: '9007199254740995',
      partitions: [
        { partition: 0, position: '0', endOffset: '9007199254740993', lagMessages: '9007199254740993' },
        { partition: 1, position: '10', endOffset: '12', lagMessages: '2' },
      ],
    });
  });

  it('is stalled when there was no watermark for more than half a minute', () => {
    expect(status({ newestWatermarkMs: nowMs - 30_000 }).state).toBe('live');
    expect(status({ newestWatermarkMs: nowMs - 30_001 }).state).toBe('stalled');
  });

  it('tells the newest event time of all partitions and every gap with its partition and range', () => {
    const partitions = [
      watermark({ maxEventTime: 1_767_261_000, gaps: [{ from: '1', to: '4' }] }),
      watermark({ partition: 1, maxEventTime: 1_767_261_061, gaps: [{ from: '0', to: '2' }] }),
      watermark({ partition: 2 }),
    ];
    expect(status({ partitions })).toMatchObject({
      newestEventTime: '2026-01-01T09:51:01Z',
      gaps: [
        { partition: 0, from: '1', to: '4' },
        { partition: 1, from: '0', to: '2' },
      ],
    });
    expect(status()).not.toHaveProperty('newestEventTime');
  });

  it('does not show a broker’s clock ahead of ours as a negative lag', () => {
    expect(status({ partitions: [watermark({ consumedUpToMs: nowMs + 5_000 })] }).lagSeconds).toBe(0);
  });
});
