import { type Step, steps } from '@jetton-analytics/figures';
import type {
  JettonRow,
  Marker,
  MarketRow,
  NewerMarker,
  Positions,
  RowRange,
  SnapshotSource,
  Term,
} from '../src/snapshots/snapshot-source.js';

/** What can happen to the store while it is read. `value` null: the key is no longer known. */
export type StoreEvent =
  | { readonly kind: 'change'; readonly key: string; readonly value: string | null }
  | { readonly kind: 'write' | 'mark'; readonly step: Step }
  | { readonly kind: 'elect'; readonly clock: string }
  | { readonly kind: 'merge' | 'dropFormerTerms' };

interface StoredRow {
  readonly term: number;
  readonly step: Step;
  readonly key: string;
  readonly slot: 0 | 1;
  readonly version: bigint;
  readonly value: string | null;
}

interface LeaderStep {
  /** Newest marked row of each key. */
  marked: Map<string, { slot: 0 | 1; value: string | null }>;
  /** Rows written since the last marker. */
  pending: Map<string, { slot: 0 | 1; value: string | null }>;
  pendingVersion: bigint | undefined;
  hasMarker: boolean;
}

/**
 * The snapshot tables and the leaders that write them, in memory and by the rules of the migration's comments: rows of a
 * key alternate between two slots, an insert may or may not have replaced the row of its slot yet, a marker publishes.
 * A key `jetton|pool` is a market. Remembers what every marker published, to compare with.
 */
export class FakeSnapshotStore implements SnapshotSource {
  readonly #truth = new Map<string, string>();
  readonly #terms: Term[] = [];
  #markers: Marker[] = [];
  #rows: StoredRow[] = [];
  #leader = new Map<Step, LeaderStep>();
  #sequence = 0;
  /** Known keys and values by term, step and version of the marker. */
  readonly published = new Map<string, ReadonlyMap<string, string>>();

  /** `between` is called before each answer, so that the store can change while it is read. */
  constructor(private readonly between: (store: FakeSnapshotStore) => void = () => undefined) {}

  static publishedKey = (term: number, step: Step, version: bigint): string => `${term}/${step}/${version}`;

  apply(event: StoreEvent): void {
    switch (event.kind) {
      case 'change':
        if (event.value === null) this.#truth.delete(event.key);
        else this.#truth.set(event.key, event.value);
        return;
      case 'elect':
        this.#terms.push({ term: (this.#terms.at(-1)?.term ?? 0) + 1, clock: event.clock });
        this.#leader = new Map(
          steps.map((step) => [
            step,
            { marked: new Map(), pending: new Map(), pendingVersion: undefined, hasMarker: false },
          ]),
        );
        return;
      case 'write':
        this.#write(event.step);
        return;
      case 'mark':
        this.#mark(event.step);
        return;
      case 'merge':
        this.#rows = this.#merged();
        return;
      case 'dropFormerTerms': {
        const newest = this.#terms.at(-1)?.term ?? 0;
        if (![...this.#leader.values()].every(({ hasMarker }) => hasMarker)) return;
        this.#rows = this.#rows.filter(({ term }) => term >= newest);
        return;
      }
    }
  }

  #write(step: Step): void {
    const leader = this.#leader.get(step);
    const term = this.#terms.at(-1)?.term;
    if (leader === undefined || term === undefined) return;
    this.#sequence += 1;
    const version = (BigInt(this.#sequence) << 64n) | (BigInt(term) << 32n) | BigInt(this.#sequence);
    for (const key of new Set([...this.#truth.keys(), ...leader.marked.keys(), ...leader.pending.keys()])) {
      const value = this.#truth.get(key) ?? null;
      const last = leader.pending.get(key) ?? leader.marked.get(key);
      if ((last?.value ?? null) === value) continue;
      // Never into the slot of the newest marked row.
      const slot = leader.marked.get(key)?.slot === 0 ? 1 : 0;
      leader.pending.set(key, { slot, value });
      this.#rows.push({ term, step, key, slot, version, value });
    }
    leader.pendingVersion = version;
  }

  #mark(step: Step): void {
    const leader = this.#leader.get(step);
    const term = this.#terms.at(-1)?.term;
    if (leader?.pendingVersion === undefined || term === undefined) return;
    const version = leader.pendingVersion;
    const seconds = Number(version >> 64n);
    for (const [key, row] of leader.pending) leader.marked.set(key, row);
    leader.pending = new Map();
    leader.pendingVersion = undefined;
    leader.hasMarker = true;
    this.#markers.push({ term, step, version, calculatedAt: seconds, asOf: seconds, inputPosition: '0' });
    const known = [...leader.marked].flatMap(([key, { value }]) => (value === null ? [] : [[key, value] as const]));
    this.published.set(FakeSnapshotStore.publishedKey(term, step, version), new Map(known));
  }

  #merged(): StoredRow[] {
    const newest = new Map<string, StoredRow>();
    for (const row of this.#rows) {
      const key = `${row.term}/${row.step}/${row.key}/${row.slot}`;
      const seen = newest.get(key);
      if (seen === undefined || seen.version < row.version) newest.set(key, row);
    }
    return [...newest.values()];
  }

  async newestTerm(): Promise<Term | undefined> {
    this.between(this);
    return this.#terms.at(-1);
  }

  async markerCount(): Promise<number> {
    this.between(this);
    return this.#markers.length;
  }

  async newerMarkers(begun: Term, positions: Positions): Promise<NewerMarker[]> {
    this.between(this);
    const lastOther = this.#terms.findLast(({ term, clock }) => clock !== begun.clock && term < begun.term)?.term ?? 0;
    const beyond = this.#markers.filter((marker) => {
      const { term = -1, version = 0n } = positions[marker.step] ?? {};
      return marker.term > lastOther && (marker.term > term || (marker.term === term && marker.version > version));
    });
    const groups = Map.groupBy(beyond, ({ term, step }) => `${term}/${step}`);
    return [...groups.values()].flatMap((group) => {
      const newest = group.at(-1);
      return newest === undefined ? [] : [{ ...newest, rowCount: this.#rows.length }];
    });
  }

  async *jettonRows(range: RowRange): AsyncGenerator<readonly JettonRow[]> {
    for (const row of this.#select(range)) {
      if (!row.key.includes('|')) yield [rowOf(row, row.key)];
      this.between(this);
    }
  }

  async *marketRows(range: RowRange): AsyncGenerator<readonly MarketRow[]> {
    for (const row of this.#select(range)) {
      const [jetton = '', pool] = row.key.split('|');
      if (pool !== undefined) yield [{ ...rowOf(row, jetton), pool }];
      this.between(this);
    }
  }

  // A statement reads what was there when it began, in no particular order.
  #select({ term, step, after, upTo }: RowRange): StoredRow[] {
    this.between(this);
    return this.#rows
      .filter((row) => row.term === term && row.step === step && row.version > after && row.version <= upTo)
      .toReversed();
  }
}

function rowOf({ version, value }: StoredRow, jetton: string): JettonRow {
  return { jetton, version, known: value !== null, figures: value ?? '[]' };
}
