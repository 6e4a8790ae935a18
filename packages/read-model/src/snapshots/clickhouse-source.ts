import { type ClickHouseReader, jettonSpans, type RowBinaryReader } from '@jetton-analytics/clickhouse';
import { Interner } from '../interner.js';
import { binaryRows } from '../stores/binary-rows.js';
import { readAhead } from '../stores/read-ahead.js';
import type { JettonRow, MarketRow, Position, RowRange, SnapshotSource } from './snapshot-source.js';
import {
  jettonRowCount,
  jettonRows,
  markerCount,
  marketRowCount,
  marketRows,
  newerMarkers,
  newestTerm,
  pageRows,
} from './snapshots.query.js';

// No term has this number: everything is newer.
const nothingRead: Position = { term: -1, version: 0n };

export interface ClickHouseSourceOptions {
  /** Rows of a page, about. */
  readonly rowsMax?: number;
  /** Gives one string object for equal texts. */
  readonly interner?: Interner;
}

/** The snapshot tables of ClickHouse, read in pages of about `rowsMax` rows. */
export function clickHouseSource(
  reader: ClickHouseReader,
  { rowsMax = pageRows, interner = new Interner() }: ClickHouseSourceOptions = {},
): SnapshotSource {
  const jettonReader = () => {
    const jettons = interner.column('jetton');
    return (row: RowBinaryReader): JettonRow => ({
      jetton: jettons.read(row),
      version: row.uint128(),
      known: row.uint8() === 1,
      figures: row.ascii(),
    });
  };
  const marketReader = () => {
    const [jettons, pools] = [interner.column('jetton'), interner.column('pool')];
    return (row: RowBinaryReader): MarketRow => ({
      jetton: jettons.read(row),
      pool: pools.read(row),
      version: row.uint128(),
      known: row.uint8() === 1,
      figures: row.ascii(),
    });
  };
  const spansOf = async (range: RowRange, query: typeof jettonRowCount) => {
    // What fits one page need not be counted.
    if (range.rowCount <= rowsMax) return jettonSpans(1);
    const [found] = await reader.query(query, range);
    return jettonSpans(Math.max(1, Math.ceil((found?.row_count ?? 0) / rowsMax)));
  };
  return {
    markerCount: async () => (await reader.query(markerCount, {}))[0]?.marker_count ?? 0,

    newestTerm: async () => (await reader.query(newestTerm, {}))[0],

    newerMarkers: async ({ term, clock }, { short = nothingRead, mid = nothingRead, long = nothingRead }) => {
      const rows = await reader.query(newerMarkers, {
        clock,
        newestTerm: term,
        shortTerm: short.term,
        shortVersion: short.version,
        midTerm: mid.term,
        midVersion: mid.version,
        longTerm: long.term,
        longVersion: long.version,
      });
      return rows.map((row) => ({
        term: row.term,
        step: row.step,
        version: row.newest_version,
        calculatedAt: row.calculated_at_s,
        asOf: row.as_of_s,
        inputPosition: row.position,
        rowCount: row.rows_written,
      }));
    },

    async *jettonRows(range: RowRange) {
      const pages = readAhead(await spansOf(range, jettonRowCount), (span) =>
        reader.binary(jettonRows, { ...range, ...span }),
      );
      const readRow = jettonReader();
      for await (const page of pages) yield* binaryRows(jettonRows.name, page, readRow);
    },

    async *marketRows(range: RowRange) {
      const pages = readAhead(await spansOf(range, marketRowCount), (span) =>
        reader.binary(marketRows, { ...range, ...span }),
      );
      const readRow = marketReader();
      for await (const page of pages) yield* binaryRows(marketRows.name, page, readRow);
    },
  };
}
