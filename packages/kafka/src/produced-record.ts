import type { MessageHeaders } from './consumed-batch.js';

/** A record to be sent. */
export interface ProducedRecord {
  readonly key?: Buffer | string | null;
  /** null: a tombstone. */
  readonly value: Buffer | string | null;
  readonly headers?: MessageHeaders;
  /** By default by the key's hash, or in turn without a key. */
  readonly partition?: number;
  /** Create time; the broker's own on topics with LogAppendTime. By default the time of sending. */
  readonly timestampMs?: number;
}
