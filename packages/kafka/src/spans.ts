import {
  carryContext,
  inChildSpan,
  inSpan,
  isTracing,
  linksOf,
  ROOT_CONTEXT,
  SpanKind,
} from '@jetton-analytics/tracing';
import type { ConsumedBatch } from './consumed-batch.js';
import type { ProducedRecord } from './produced-record.js';

/**
 * Does what follows from a batch in a span of its own trace, with a link to the span of each producer that its records'
 * `traceparent` headers name: a batch has as many causes as records, so none of them is its parent.
 */
export function inBatchSpan(batch: ConsumedBatch, groupId: string, work: () => Promise<void>): Promise<void> {
  const { topic, partition, messages, firstOffset } = batch;
  return inSpan(
    `process ${topic}`,
    () => ({
      kind: SpanKind.CONSUMER,
      parent: ROOT_CONTEXT,
      links: linksOf(messages.map(({ headers }) => headers)),
      attributes: {
        'messaging.system': 'kafka',
        'messaging.operation.type': 'process',
        'messaging.destination.name': topic,
        'messaging.destination.partition.id': String(partition),
        'messaging.consumer.group.name': groupId,
        'messaging.batch.message_count': messages.length,
        'messaging.kafka.offset': Number(firstOffset),
      },
    }),
    work,
  );
}

/** Sends in a span below the active one. */
export function inProducerSpan<T>(topic: string, count: number, work: () => Promise<T>): Promise<T> {
  return inChildSpan(
    `send ${topic}`,
    () => ({
      kind: SpanKind.PRODUCER,
      attributes: {
        'messaging.system': 'kafka',
        'messaging.operation.type': 'send',
        'messaging.destination.name': topic,
        'messaging.batch.message_count': count,
      },
    }),
    work,
  );
}

/** The records with the active span in their headers; one that carries a span already, as a dead letter may, keeps it. */
export function carryingContext(records: readonly ProducedRecord[]): readonly ProducedRecord[] {
  if (!isTracing()) return records;
  const carried = carryContext();
  if (Object.keys(carried).length === 0) return records;
  return records.map((record) => ({ ...record, headers: { ...carried, ...record.headers } }));
}
