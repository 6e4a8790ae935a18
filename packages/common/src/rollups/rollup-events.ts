import { type RollupDataset, rollupTopicNames } from './datasets.js';

/** The URN of a dataset's JSON Schema: its `$id` and the events' dataschema. */
export const rollupSchemaUrn = (dataset: RollupDataset): string =>
  `urn:jetton-analytics:schema:${rollupTopicNames[dataset]}`;

/** The events' type. */
export const rollupEventType = (dataset: RollupDataset): string => `jetton-analytics.${rollupTopicNames[dataset]}`;

export const rollupEventSource = '/jetton-analytics/aggregator';

/**
 * Headers of a record in CloudEvents 1.0, Kafka binding, binary mode
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md). The id follows from
 * key, revision and isFinal alone, so that whoever publishes the same figures, and however often, names the event alike.
 */
export function rollupEventHeaders(
  dataset: RollupDataset,
  key: string,
  record: { readonly revision: string; readonly isFinal: boolean; readonly computedAt: string },
): Record<string, string> {
  return {
    ce_specversion: '1.0',
    ce_id: `${key}|${record.revision}|${record.isFinal ? 'final' : 'open'}`,
    ce_source: rollupEventSource,
    ce_type: rollupEventType(dataset),
    ce_time: record.computedAt,
    ce_dataschema: rollupSchemaUrn(dataset),
    'content-type': 'application/json',
  };
}
