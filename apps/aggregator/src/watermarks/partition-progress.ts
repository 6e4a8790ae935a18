import type { PartitionWatermark } from '@jetton-analytics/common';

/** What a durable batch adds to its partition's watermark. */
export interface BatchProgress {
  /** Greatest event_time of its accepted trades, Unix seconds; null: it held none. */
  readonly maxEventTime: number | null;
  /** Minute of record time (Unix seconds) → delay in whole seconds → trades. */
  readonly delays: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

const minutesKept = 11;
const gapsKept = 20;

/**
 * How far an owned partition is consumed. It counts as consumed up to an instant when everything up to the end offset
 * that was asked for after that instant is durable; otherwise up to the record time of its next record.
 */
export class PartitionProgress {
  #position: bigint;
  #endOffset: bigint;
  #isEndKnown = false;
  #consumedUpToMs: number | null = null;
  #maxEventTime: number | null;
  readonly #delays = new Map<number, Map<number, number>>();
  readonly #gaps: { from: string; to: string }[];
  #pending: { readonly instantMs: number; readonly endOffset: bigint } | undefined;

  /** `inherited` is the newest record of the partition's former owner. */
  constructor(
    readonly topic: string,
    readonly partition: number,
    position: string,
    inherited: PartitionWatermark | undefined,
  ) {
    this.#position = BigInt(position);
    this.#endOffset = this.#position;
    this.#maxEventTime = inherited?.maxEventTime ?? null;
    this.#gaps = [...(inherited?.gaps ?? [])];
    for (const { minute, counts } of inherited?.delays ?? []) {
      this.#delays.set(minute, new Map(Object.entries(counts).map(([delay, count]) => [Number(delay), count])));
    }
  }

  /** A batch begins whose first record has this timestamp: nothing later is consumed yet. */
  batchStarted(firstTimestampMs: number): void {
    this.#consumedUpToMs = firstTimestampMs;
  }

  /** Everything before `nextOffset` is durable. Returns whether a waiting end offset was reached by it. */
  batchDone(nextOffset: string): boolean {
    this.#position = BigInt(nextOffset);
    if (this.#position > this.#endOffset) this.#endOffset = this.#position;
    return this.#settlePending();
  }

  /** Returns whether the greatest event time rose. */
  batchDurable({ maxEventTime, delays }: BatchProgress): boolean {
    for (const [minute, counts] of delays) {
      const kept = this.#delays.get(minute) ?? new Map<number, number>();
      for (const [delay, count] of counts) kept.set(delay, (kept.get(delay) ?? 0) + count);
      this.#delays.set(minute, kept);
    }
    const minutes = [...this.#delays.keys()].sort((a, b) => b - a);
    for (const minute of minutes.slice(minutesKept)) this.#delays.delete(minute);
    return this.#raiseEventTime(maxEventTime);
  }

  /** A record of a former owner that was read only after the partition was taken over. */
  inherit({ maxEventTime }: PartitionWatermark): void {
    this.#raiseEventTime(maxEventTime);
  }

  gap(from: string, to: string): void {
    this.#gaps.push({ from, to });
    if (this.#gaps.length > gapsKept) this.#gaps.shift();
  }

  /** An end offset asked for at some moment: how much waits is known before the first instant is. */
  learnEnd(endOffset: string): void {
    this.#isEndKnown = true;
    if (BigInt(endOffset) > this.#endOffset) this.#endOffset = BigInt(endOffset);
  }

  /** Records of the partition that are not durable yet, as far as the end is known. */
  get lag(): bigint {
    return this.#endOffset > this.#position ? this.#endOffset - this.#position : 0n;
  }

  /** Whether the end offset of this topic was ever asked for; before, it is taken to be the position. */
  get isEndKnown(): boolean {
    return this.#isEndKnown;
  }

  /** The end offset asked for after `instantMs` (the broker's clock). Returns whether it is reached already. */
  endOffsetSeen(instantMs: number, endOffset: string): boolean {
    this.#endOffset = BigInt(endOffset);
    this.#pending = { instantMs, endOffset: this.#endOffset };
    return this.#settlePending();
  }

  get watermark(): PartitionWatermark {
    return {
      topic: this.topic,
      partition: this.partition,
      consumedUpToMs: this.#consumedUpToMs,
      position: this.#position.toString(),
      endOffset: this.#endOffset.toString(),
      maxEventTime: this.#maxEventTime,
      delays: [...this.#delays].map(([minute, counts]) => ({ minute, counts: Object.fromEntries(counts) })),
      gaps: [...this.#gaps],
    };
  }

  #raiseEventTime(eventTime: number | null): boolean {
    if (eventTime === null || eventTime <= (this.#maxEventTime ?? -Infinity)) return false;
    this.#maxEventTime = eventTime;
    return true;
  }

  #settlePending(): boolean {
    if (this.#pending === undefined || this.#position < this.#pending.endOffset) return false;
    this.#consumedUpToMs = this.#pending.instantMs;
    this.#pending = undefined;
    return true;
  }
}
