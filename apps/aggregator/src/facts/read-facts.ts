import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { type createDataSource, JettonMetadata } from '@jetton-analytics/postgres';
import type { KnownFacts } from './known-facts.js';
import { poolSidesSince } from './pool-sides.query.js';

type DataSource = ReturnType<typeof createDataSource>;

/** Brings the facts up to date with one source; rejects with what the source rejects with, to be called again. */
export type ReadFacts = () => Promise<void>;

const rowsPerStatementMax = 10_000;
// Writers' clocks and the time a write takes differ by less: what lies this far back is read again.
const overlapMs = 120_000;

/** Decimals from the metadata in Postgres, followed by change number; the first call reads all. */
export function decimalsReader(dataSource: DataSource, facts: KnownFacts): ReadFacts {
  let lastChange = '0';
  return async () => {
    if (!dataSource.isInitialized) await dataSource.initialize();
    for (;;) {
      const rows = await dataSource
        .getRepository(JettonMetadata)
        .createQueryBuilder('metadata')
        .select(['metadata.address', 'metadata.decimals', 'metadata.changeNumber'])
        .where('metadata.changeNumber > :lastChange', { lastChange })
        .orderBy('metadata.changeNumber', 'ASC')
        .limit(rowsPerStatementMax)
        .getMany();
      for (const { address, decimals, changeNumber } of rows) {
        facts.setDecimals(address, decimals ?? undefined);
        lastChange = changeNumber;
      }
      if (rows.length < rowsPerStatementMax) return;
    }
  };
}

/** The sides of pools from their newest states in ClickHouse; the first call reads all. */
export function sidesReader(reader: ClickHouseReader, facts: KnownFacts): ReadFacts {
  let newestMs = 0;
  return async () => {
    let seenMs = newestMs;
    for await (const rows of reader.stream(poolSidesSince, { since: Math.max(0, newestMs - overlapMs) })) {
      for (const { pool, left_asset: left, right_asset: right, written_ms: writtenMs } of rows) {
        facts.setSides(pool, { left, right });
        seenMs = Math.max(seenMs, Number(writtenMs));
      }
    }
    newestMs = seenMs;
  };
}
