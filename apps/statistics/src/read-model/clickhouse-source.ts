import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { Position, SnapshotSource } from './snapshot-source.js';
import { jettonRows, marketRows, newerMarkers, newestTerm } from './snapshots.query.js';

// No term has this number: everything is newer.
const nothingRead: Position = { term: -1, version: 0n };

/** The snapshot tables of ClickHouse. */
export function clickHouseSource(reader: ClickHouseReader): SnapshotSource {
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

    async *jettonRows(range) {
      for await (const rows of reader.stream(jettonRows, range)) {
        yield rows.map(({ jetton, row_version, known, figures }) => ({
          jetton,
          version: row_version,
          known: known === 1,
          figures,
        }));
      }
    },

    async *marketRows(range) {
      for await (const rows of reader.stream(marketRows, range)) {
        yield rows.map(({ jetton, pool, row_version, known, figures }) => ({
          jetton,
          pool,
          version: row_version,
          known: known === 1,
          figures,
        }));
      }
    },
  };
}
