import type { Kafka } from 'kafkajs';
import { defaultAssets, type Assets } from '../oracle/assets.js';
import { winners } from '../oracle/ledger.js';
import { parseMessage, type FeedRecord, type TradeMessage } from '../oracle/parse-message.js';
import { readLog } from './log-reader.js';

/** Everything the messages of the trades topic say, by docs/feed.md and docs/statistics.md alone. */
export interface Produced {
  readonly records: number;
  readonly accepted: number;
  readonly skipped: number;
  /** By `partition/offset`. */
  readonly bad: ReadonlyMap<string, { readonly record: FeedRecord; readonly reason: string }>;
  /** The message that holds, by event id. */
  readonly winners: ReadonlyMap<string, TradeMessage>;
  /** T of CLOCK=event, Unix seconds. */
  readonly asOf: number;
  readonly assets: Assets;
}

/**
 * Reads the topic as it lies in the log, so that a request that was repeated while the broker was away is there as often
 * as the broker took it.
 */
export async function readProduced(kafka: Kafka, topic: string): Promise<Produced> {
  const accepted: TradeMessage[] = [];
  const bad = new Map<string, { record: FeedRecord; reason: string }>();
  let records = 0;
  let skipped = 0;
  await readLog(kafka, topic, `${topic}.oracle`, ({ partition, offset, value, timestampMs }) => {
    records += 1;
    const record = { value, recordMs: timestampMs };
    const reading = parseMessage(record);
    if (reading.kind === 'accepted') accepted.push(reading.message);
    else if (reading.kind === 'bad') bad.set(`${partition}/${offset}`, { record, reason: reading.reason });
    else skipped += 1;
  });
  const asOf = accepted.reduce((newest, { eventTime }) => Math.max(newest, eventTime), 0) + 1;
  const held = winners(accepted, defaultAssets);
  return { records, accepted: accepted.length, skipped, bad, winners: held, asOf, assets: defaultAssets };
}
