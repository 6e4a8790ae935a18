import type { FeedRecord } from '../feed-record.js';

export interface UndatedRecord {
  readonly value: Buffer;
  readonly eventTimeSeconds: number | undefined;
}

/** A record comes one second after its event began: its delay, counted from the end of that second, is 0. */
const recordDelayMs = 1000;
const fallbackMs = Date.UTC(2019, 0, 1);

/**
 * Gives records their number and Kafka time from the file alone, so that a second replay makes the same ones, byte for
 * byte: event time + 1 s; without an event time that of the record before it, at the start of the file that of the first
 * one in the same batch that has one, else the first instant the feed takes.
 */
export class RecordDates {
  private sequence = 0;
  private lastMs: number | undefined;

  date(batch: readonly UndatedRecord[]): FeedRecord[] {
    const first = batch.find(({ eventTimeSeconds }) => eventTimeSeconds !== undefined)?.eventTimeSeconds;
    let timestampMs = this.lastMs ?? (first === undefined ? fallbackMs : recordMsOf(first));
    const records = batch.map(({ value, eventTimeSeconds }) => {
      if (eventTimeSeconds !== undefined) timestampMs = recordMsOf(eventTimeSeconds);
      const sequence = this.sequence;
      this.sequence += 1;
      return { value, timestampMs, sequence };
    });
    if (first !== undefined || this.lastMs !== undefined) this.lastMs = timestampMs;
    return records;
  }
}

function recordMsOf(eventTimeSeconds: number): number {
  return eventTimeSeconds * 1000 + recordDelayMs;
}
