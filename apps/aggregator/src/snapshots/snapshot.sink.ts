import { hash } from 'node:crypto';
import { type ClickHouseWriter, defineInsert } from '@jetton-analytics/clickhouse';
import type { Step } from '@jetton-analytics/figures';
import { slices } from '../inputs/slices.js';
import { inTurns, nextTurn, type Pause } from './in-turns.js';
import type { WindowTuples } from './snapshot-rows.js';
import type { UsdOfDay } from './usd-by-day.js';

type JettonRow = readonly [
  term: number,
  jetton: string,
  step: Step,
  slot: 0 | 1,
  version: string,
  known: 0 | 1,
  windows: WindowTuples,
  changedAtTon: number,
  changedAtUsd: number,
  usdByDay: readonly UsdOfDay[],
];
type MarketRow = readonly [
  term: number,
  jetton: string,
  pool: string,
  step: Step,
  slot: 0 | 1,
  version: string,
  known: 0 | 1,
  counterpart: string,
  windows: WindowTuples,
];

const insertJettonStatistics = defineInsert<JettonRow>({
  name: 'insertJettonStatistics',
  table: 'jetton_statistics_v1',
  columns: [
    'term',
    'jetton',
    'step',
    'slot',
    'version',
    'known',
    'windows',
    'price_changed_at_ton',
    'price_changed_at_usd',
    'usd_by_day',
  ],
});

const insertMarketStatistics = defineInsert<MarketRow>({
  name: 'insertMarketStatistics',
  table: 'market_statistics_v1',
  columns: ['term', 'jetton', 'pool', 'step', 'slot', 'version', 'known', 'counterpart', 'windows'],
});

export type MarkerRow = readonly [
  term: number,
  step: Step,
  version: string,
  calculatedAt: number,
  asOf: number,
  rowCount: number,
  inputPosition: string,
  markedOn: string,
];

export const insertMarker = defineInsert<MarkerRow>({
  name: 'insertMarker',
  table: 'snapshot_markers_v1',
  columns: ['term', 'step', 'version', 'calculated_at', 'as_of', 'row_count', 'input_position', 'marked_on'],
});

/** T << 64 | term << 32 | sequence: a later instant wins, then a later leader, then its later snapshot. */
export function snapshotVersion(calculatedAt: number, term: number, sequence: number): string {
  return ((BigInt(calculatedAt) << 64n) | (BigInt(term) << 32n) | BigInt(sequence)).toString();
}

const rowsPerInsertMax = 5_000;

// Stands for a key whose last row says that it is no longer known.
const forgotten = '';

const digests = new WeakMap<Figures, string>();

function digestOf(figures: Figures): string {
  const known = digests.get(figures);
  if (known !== undefined) return known;
  const digest = hash('sha1', JSON.stringify(figures), 'base64');
  digests.set(figures, digest);
  return digest;
}

interface Written {
  /** Of the newest row; undefined: its insert failed, and what the store holds is not known. */
  digest: string | undefined;
  /** Of the newest row. */
  slot: 0 | 1;
  isPublished: boolean;
}

/** What a row says, apart from when it was calculated. */
export interface Figures {
  readonly windows: WindowTuples;
  /** Of a market. */
  readonly counterpart?: string;
  /** Of a jetton, step short: minute of the newest point of each price, Unix seconds. */
  readonly changedAt?: { readonly ton: number; readonly usd: number };
  /** Of a jetton. */
  readonly usdByDay?: readonly UsdOfDay[];
}

/**
 * Writes the rows of one step whose figures differ from those written last in this term, each into the slot that the
 * key's newest published row does not hold. A key that is no longer known gets a row that says so.
 */
export class ChangedRows {
  readonly #written = new Map<string, Written>();
  readonly #unpublished = new Set<Written>();

  constructor(
    private readonly writer: ClickHouseWriter,
    private readonly term: number,
    private readonly step: Step,
    private readonly pause: Pause = nextTurn,
  ) {}

  /** To be called when a marker with the version of the last write, or a greater one, is acknowledged. */
  published(): void {
    for (const written of this.#unpublished) written.isPublished = true;
    this.#unpublished.clear();
  }

  /**
   * Takes the figures that may differ from those written last; of the other keys that `isKnown` tells of nothing changes.
   * Returns the number of rows written, all acknowledged. Keys are `jetton` or `jetton|pool`.
   */
  async write(
    kind: 'jetton' | 'market',
    figures: ReadonlyMap<string, Figures>,
    version: string,
    isKnown: (key: string) => boolean,
  ): Promise<number> {
    const changed: { key: string; digest: string; figures: Figures | undefined; row: Written }[] = [];
    await inTurns(
      figures,
      ([key, value]) => {
        const digest = digestOf(value);
        if (this.#written.get(key)?.digest !== digest)
          changed.push({ key, digest, figures: value, row: this.#begin(key) });
      },
      this.pause,
    );
    await inTurns(
      this.#written,
      ([key, { digest }]) => {
        if (digest !== forgotten && !isKnown(key))
          changed.push({ key, digest: forgotten, figures: undefined, row: this.#begin(key) });
      },
      this.pause,
    );
    for (const chunk of slices(changed, rowsPerInsertMax)) {
      if (kind === 'jetton') {
        const rows = chunk.map(({ key, figures: value, row: { slot } }): JettonRow => [
          this.term,
          key,
          this.step,
          slot,
          version,
          value === undefined ? 0 : 1,
          value?.windows ?? [],
          value?.changedAt?.ton ?? 0,
          value?.changedAt?.usd ?? 0,
          value?.usdByDay ?? [],
        ]);
        await this.writer.insert(insertJettonStatistics, rows);
      } else {
        const rows = chunk.map(({ key, figures: value, row: { slot } }): MarketRow => {
          const [jetton = '', pool = ''] = key.split('|');
          const known = value === undefined ? 0 : 1;
          const { counterpart = '', windows = [] } = value ?? {};
          return [this.term, jetton, pool, this.step, slot, version, known, counterpart, windows];
        });
        await this.writer.insert(insertMarketStatistics, rows);
      }
    }
    // Only now: rows of an insert that failed are written again by the next snapshot.
    for (const { row, digest } of changed) row.digest = digest;
    return changed.length;
  }

  /** A row that is not published yet is replaced in its own slot: the other one holds what readers see. */
  #begin(key: string): Written {
    const last = this.#written.get(key);
    const row = last ?? { digest: undefined, slot: 0, isPublished: false };
    if (row.isPublished) row.slot = row.slot === 0 ? 1 : 0;
    row.digest = undefined;
    row.isPublished = false;
    if (last === undefined) this.#written.set(key, row);
    this.#unpublished.add(row);
    return row;
  }
}
