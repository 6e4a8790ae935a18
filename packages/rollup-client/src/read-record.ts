import { rollupEventType, type RollupDataset, type RollupRecord, rollupRecords } from '@jetton-analytics/common';
import type { ConsumedMessage } from '@jetton-analytics/kafka';

/** A record of a rollup topic, checked against its contract. */
export interface KeyedRollup<D extends RollupDataset> {
  readonly key: string;
  readonly record: RollupRecord<D>;
}

/** A record that does not keep the contract, and why. */
export interface InvalidRollup {
  readonly partition: number;
  readonly offset: string;
  readonly reason: 'no_key' | 'no_value' | 'other_event_type' | 'no_json' | 'other_shape';
  readonly detail: string;
}

/** Reads one record. Fields that the contract does not name are left out; a record of another shape is told, not thrown. */
export function readRollup<D extends RollupDataset>(
  dataset: D,
  message: Pick<ConsumedMessage, 'key' | 'value' | 'headers' | 'offset'> & { readonly partition: number },
): KeyedRollup<D> | InvalidRollup {
  const { partition, offset } = message;
  const invalid = (reason: InvalidRollup['reason'], detail = ''): InvalidRollup => ({
    partition,
    offset,
    reason,
    detail,
  });
  if (message.key === null) return invalid('no_key');
  if (message.value === null) return invalid('no_value');
  const type = message.headers['ce_type']?.toString();
  if (type !== rollupEventType(dataset)) return invalid('other_event_type', type);
  const value = jsonOf(message.value);
  if (value === undefined) return invalid('no_json');
  const parsed = rollupRecords[dataset].safeParse(value);
  if (!parsed.success) return invalid('other_shape', parsed.error.issues.map(({ path }) => path.join('.')).join(', '));
  // The schema is the dataset's own; the compiler does not follow the index.
  return { key: message.key.toString(), record: parsed.data as RollupRecord<D> };
}

function jsonOf(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString());
  } catch {
    return undefined;
  }
}
