import { isUtf8 } from 'node:buffer';
import type { Fault, Skip, SkipReason } from './faults.js';

/** One record of a feed topic as the consumer hands it over. */
export interface FeedMessage {
  readonly value: Buffer | null;
  /** The record's Kafka timestamp, Unix milliseconds. */
  readonly timestampMs: number;
}

export interface FeedLimits {
  readonly valueBytesMax: number;
}

export const defaultFeedLimits: FeedLimits = { valueBytesMax: 1024 * 1024 };

/** A message whose value is a JSON object; its fields are not checked. */
export interface OpenedMessage {
  readonly kind: 'object';
  readonly raw: object;
  /** The value as text, for numbers that a double does not hold. */
  readonly text: string;
  readonly value: Buffer;
}

export const skips: { readonly [reason in SkipReason]: Skip } = {
  tombstone: { kind: 'skip', reason: 'tombstone' },
  other_event_type: { kind: 'skip', reason: 'other_event_type' },
  launch: { kind: 'skip', reason: 'launch' },
  null_token: { kind: 'skip', reason: 'null_token' },
  native_asset: { kind: 'skip', reason: 'native_asset' },
};

/** The checks that every message of the feed begins with: size, UTF-8, JSON, object. Never throws. */
export function openMessage({ value }: FeedMessage, limits: FeedLimits): OpenedMessage | Skip | Fault {
  if (value === null) return skips.tombstone;
  if (value.length > limits.valueBytesMax) {
    return { kind: 'fault', reason: 'too_large', detail: `must be at most ${limits.valueBytesMax} bytes` };
  }
  if (!isUtf8(value)) return { kind: 'fault', reason: 'not_utf8', detail: 'must be UTF-8' };
  // A byte order mark stays in the text and is no JSON.
  const text = value.toString('utf8');
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { kind: 'fault', reason: 'not_json', detail: 'must be JSON' };
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { kind: 'fault', reason: 'not_object', detail: 'must be a JSON object' };
  }
  return { kind: 'object', raw, text, value };
}

export const earliestMs = Date.UTC(2019, 0, 1);
// The stores' DateTime ends in 2106; a record from beyond 2100 is a broken clock.
const recordTimeEndMs = Date.UTC(2100, 0, 1);

/** The last check of every message. */
export function recordTimeFault(recordTimestampMs: number): Fault | undefined {
  if (recordTimestampMs >= earliestMs && recordTimestampMs < recordTimeEndMs && Number.isInteger(recordTimestampMs)) {
    return undefined;
  }
  return { kind: 'fault', reason: 'record_time_out_of_range', detail: 'record timestamp must be of 2019 to 2099' };
}
