import type { PartitionWatermark } from '@jetton-analytics/common';

/** What a durable batch adds to its partition's watermark. */
export interface BatchProgress {
  /** Greatest event_time of its accepted trades, Unix seconds; null: it held none. */
  readonly maxEventTime: number | null;
  /** Minute of record time (Unix seconds) → delay in whole seconds → trades. */
  readonly delays: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

/** Instants of the broker's clock, ms since 1970. */
export interface PendingInstants {
  /** null: not known. */
  readonly fromMs: number | null;
  readonly toMs: number;
}

const minutesKept = 11;
const gapsKept = 20;
/** During a backlog none is reached for long, and record times tell how far it is consumed. */
const pendingKept = 30;

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
  /** End offsets that are not reached yet, in the order of their instants: a batch may take longer than a second. */
  #pending: { readonly instantMs: number; readonly endOffset: bigint }[] = [];

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
    this.#pending.push({ instantMs, endOffset: this.#endOffset });
    if (this.#pending.length > pendingKept) this.#pending.shift();
    return this.#settlePending();
  }

  /** Up to which instants it is consumed and could be with what is in the log; undefined: nothing is known to wait there. */
  get pending(): PendingInstants | undefined {
    const newest = this.#pending.at(-1);
    return newest && { fromMs: this.#consumedUpToMs, toMs: newest.instantMs };
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
    const unreached = this.#pending.filter(({ endOffset }) => endOffset > this.#position);
    const reached = this.#pending[this.#pending.length - unreached.length - 1];
    if (reached === undefined) return false;
    this.#consumedUpToMs = reached.instantMs;
    this.#pending = unreached;
    return true;
  }
}
