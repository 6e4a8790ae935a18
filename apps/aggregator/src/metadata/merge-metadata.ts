import { compareStates, type MetadataExtensions, type MetadataState } from '@jetton-analytics/feed';
import type { JettonMetadata } from '@jetton-analytics/postgres';

/** A row of jetton_metadata without its number, which the database gives. */
export type MetadataRow = Omit<JettonMetadata, 'changeNumber'>;

export interface MergedMetadata {
  readonly row: MetadataRow;
  /** The messages that the row rests on: all others may be forgotten. */
  readonly messages: readonly MetadataState[];
}

/**
 * What all messages about one jetton say together, those of the past being known by the row and the messages kept with
 * it. The newest message gives the feed's own fields; each extension comes from the newest message that carries it; the
 * earliest times are minima of all. Order, repeats and the bounds of batches make no difference. Throws a RangeError
 * where there is no message.
 */
export function mergeMetadata(
  known: Pick<MetadataRow, 'earliestUpdateS' | 'earliestRecordS'> | undefined,
  messages: readonly MetadataState[],
): MergedMetadata {
  const newest = newestOf(messages);
  if (newest === undefined) throw new RangeError('mergeMetadata: no message');
  const sources = new Set([newest]);
  const extension = <Name extends keyof MetadataExtensions>(name: Name): MetadataExtensions[Name] | null => {
    const source = newestOf(messages.filter(({ extensions }) => extensions[name] !== null));
    if (source === undefined) return null;
    sources.add(source);
    return source.extensions[name];
  };
  const { address, fields } = newest;
  const links = extension('links');
  const updates = messages.flatMap(({ earliestUpdate }) => (earliestUpdate === null ? [] : [BigInt(earliestUpdate)]));
  const records = messages.map(({ recordTimestampMs }) => BigInt(Math.floor(recordTimestampMs / 1_000)));
  if (known !== undefined) records.push(BigInt(known.earliestRecordS));
  if (known?.earliestUpdateS != null) updates.push(BigInt(known.earliestUpdateS));
  const row: MetadataRow = {
    address,
    name: orNull(fields.name),
    symbol: orNull(fields.symbol),
    description: orNull(fields.description),
    image: orNull(fields.image),
    decimals: fields.decimals,
    mintable: fields.mintable,
    admin: orNull(fields.admin),
    codeHash: orNull(fields.codeHash),
    totalSupply: extension('totalSupply')?.toString() ?? null,
    offchainImage: orNull(extension('offchainImage')),
    offchainDescription: orNull(extension('offchainDescription')),
    adminOffchainAddress: orNull(extension('adminOffchainAddress')),
    links: links === null ? null : [...links],
    createdAtS: extension('createdAt')?.toString() ?? null,
    earliestUpdateS: least(updates)?.toString() ?? null,
    earliestRecordS: String(least(records)),
    updateTimeS: newest.order.toString(),
  };
  return { row, messages: [...sources] };
}

function newestOf(messages: readonly MetadataState[]): MetadataState | undefined {
  let newest: MetadataState | undefined;
  for (const message of messages) {
    if (newest === undefined || compareStates(message, newest) > 0) newest = message;
  }
  return newest;
}

function least(values: readonly bigint[]): bigint | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => (a < b ? a : b));
}

function orNull(text: string | null): string | null {
  return text === '' ? null : text;
}
