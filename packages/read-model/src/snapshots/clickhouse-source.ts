import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { Position, SnapshotSource } from './snapshot-source.js';
import { jettonRows, marketRows, newerMarkers, newestTerm } from './snapshots.query.js';

// No term has this number: everything is newer.
const nothingRead: Position = { term: -1, version: 0n };

// Some 20 MB.
const pageRows = 20_000;

export interface ClickHouseSourceOptions {
  readonly rowsMax?: number;
  /** Gives one string object for equal texts. */
  readonly intern?: (text: string) => string;
}

/** The snapshot tables of ClickHouse, read in pages of `rowsMax` rows. */
export function clickHouseSource(
  reader: ClickHouseReader,
  { rowsMax = pageRows, intern = (text) => text }: ClickHouseSourceOptions = {},
): SnapshotSource {
  return {
    newestTerm: async () => (await reader.query(newestTerm, {}))[0],

    newerMarkers: async (clock, { short = nothingRead, mid = nothingRead, long = nothingRead }) => {
      const rows = await reader.query(newerMarkers, {
        clock,
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
      }));
    },

    jettonRows: (range) =>
      paged(
        rowsMax,
        (afterJetton) => reader.stream(jettonRows, { ...range, afterJetton, rowsMax }),
        ({ jetton, row_version, known, figures }) => ({
          jetton: intern(jetton),
          version: row_version,
          known: known === 1,
          figures,
        }),
      ),

    marketRows: (range) =>
      paged(
        rowsMax,
        (afterJetton) => reader.stream(marketRows, { ...range, afterJetton, rowsMax }),
        ({ jetton, pool, row_version, known, figures }) => ({
          jetton: intern(jetton),
          pool: intern(pool),
          version: row_version,
          known: known === 1,
          figures,
        }),
      ),
  };
}

/** Page after page, until one is not full. */
async function* paged<Row extends { jetton: string }, Mapped>(
  rowsMax: number,
  pageAfter: (afterJetton: string) => AsyncIterable<readonly Row[]>,
  map: (row: Row) => Mapped,
): AsyncGenerator<readonly Mapped[]> {
  let afterJetton = '';
  for (;;) {
    let count = 0;
    for await (const rows of pageAfter(afterJetton)) {
      count += rows.length;
      afterJetton = rows.at(-1)?.jetton ?? afterJetton;
      yield rows.map(map);
    }
    if (count < rowsMax) return;
  }
}
