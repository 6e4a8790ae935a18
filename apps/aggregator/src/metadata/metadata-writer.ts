import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Assets, type MetadataState, parseMetadataMessage } from '@jetton-analytics/feed';
import type { StateWriter } from '../inputs/ingest-states.js';
import { slices } from '../inputs/slices.js';
import { mergeMetadata, type MetadataRow } from './merge-metadata.js';
import type { KeptMessage, KnownMetadata, MetadataChange, MetadataStore } from './metadata-store.js';

// A row has 18 parameters, a statement at most 65,535; and a transaction holds up all other writers.
const jettonsPerTransactionMax = 500;

/** Merges messages of the metadata topic into what is known of their jettons. */
export class MetadataWriter implements StateWriter<MetadataState> {
  constructor(
    private readonly store: MetadataStore,
    private readonly assets: Assets,
  ) {}

  async write(states: readonly MetadataState[], assertOwned: () => void): Promise<void> {
    const byJetton = [...Map.groupBy(states, ({ address }) => address)];
    for (const part of slices(byJetton, jettonsPerTransactionMax)) {
      assertOwned();
      await this.store.change(
        part.map(([address]) => address),
        (known) => this.#merged(known, new Map(part)),
      );
    }
  }

  #merged(known: KnownMetadata, arrived: ReadonlyMap<string, readonly MetadataState[]>): MetadataChange {
    const kept = Map.groupBy(known.messages, ({ address }) => address);
    const change = { rows: [] as MetadataRow[], added: [] as KeptMessage[], dropped: [] as KeptMessage[] };
    for (const [address, states] of arrived) {
      const before = kept.get(address) ?? [];
      const knownRow = known.rows.get(address);
      const merged = mergeMetadata(knownRow, [...before.flatMap((message) => this.#read(message)), ...states]);
      if (knownRow === undefined || isChanged(merged.row, knownRow)) change.rows.push(merged.row);
      const after = new Map(merged.messages.map(keptMessage).map((message) => [keyOf(message), message]));
      const beforeKeys = new Set(before.map(keyOf));
      change.added.push(...[...after].flatMap(([key, message]) => (beforeKeys.has(key) ? [] : [message])));
      change.dropped.push(...before.filter((message) => !after.has(keyOf(message))));
    }
    return change;
  }

  /** A kept message that is no longer valid by today's rules says nothing any more. */
  #read({ value, recordMs }: KeptMessage): MetadataState[] {
    const outcome = parseMetadataMessage({ value, timestampMs: Number(recordMs) }, this.assets);
    return outcome.kind === 'state' ? [outcome.state] : [];
  }
}

function keptMessage({ address, recordTimestampMs, value }: MetadataState): KeptMessage {
  return { address, recordMs: String(recordTimestampMs), valueHash: hash('sha256', value, 'hex'), value };
}

const keyOf = ({ recordMs, valueHash }: KeptMessage) => `${recordMs}|${valueHash}`;

/** Rewriting a row as it stands would give it a new change number for nothing. */
function isChanged(row: MetadataRow, known: MetadataRow): boolean {
  return Object.entries(row).some(([name, value]) => !isDeepStrictEqual(value, known[name as keyof MetadataRow]));
}
