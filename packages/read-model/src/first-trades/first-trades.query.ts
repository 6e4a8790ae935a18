import {
  type ClickHouseReader,
  defineBinaryQuery,
  defineQuery,
  type RowBinaryReader,
} from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import type { WrittenAtSource } from '../follow/written-at.js';
import { binaryRows } from '../stores/binary-rows.js';
import { oneThread } from '../stores/one-thread.js';
import type { Interner } from '../interner.js';
import type { FirstTrade } from './first-trade-table.js';

const newestFirstTradeWrite = defineQuery({
  name: 'newestFirstTradeWrite',
  sql: `SELECT toUnixTimestamp64Milli(max(written_at)) AS newest_ms, count() > 0 AS has_rows
        FROM jetton_first_trades_v1`,
  params: z.object({}),
  row: z.object({ newest_ms: z.coerce.number(), has_rows: z.int() }),
});

// No merging of a jetton's rows: the least of them counts, whichever come.
export const firstTrades = defineBinaryQuery({
  name: 'firstTrades',
  sql: `SELECT jetton, toUInt32(min(first_trade_s)) AS least_s
        FROM jetton_first_trades_v1
        WHERE written_at >= fromUnixTimestamp64Milli({sinceMs: Int64}, 'UTC') AND jetton > {afterJetton: String}
        GROUP BY jetton
        ORDER BY jetton
        LIMIT {rowsMax: UInt32}
        ${oneThread}`,
  params: z.object({ sinceMs: z.int(), afterJetton: z.string(), rowsMax: z.int() }),
  columns: [
    ['jetton', 'String'],
    ['least_s', 'UInt32'],
  ],
});

const pageRows = 50_000;

/** The table of first trades. */
export function firstTradeSource(
  reader: ClickHouseReader,
  interner: Interner,
  rowsMax = pageRows,
): WrittenAtSource<FirstTrade> {
  return {
    async newest() {
      const [row] = await reader.query(newestFirstTradeWrite, {});
      return row?.has_rows === 1 ? row.newest_ms : undefined;
    },
    async *rowsSince(sinceMs) {
      const jettons = interner.column('jetton');
      const readTrade = (row: RowBinaryReader): FirstTrade => ({ jetton: jettons.read(row), firstTrade: row.uint32() });
      let afterJetton = '';
      for (;;) {
        let count = 0;
        const page = await reader.binary(firstTrades, { sinceMs, afterJetton, rowsMax });
        for await (const rows of binaryRows(firstTrades.name, page, readTrade)) {
          count += rows.length;
          afterJetton = rows.at(-1)?.jetton ?? afterJetton;
          yield rows;
        }
        if (count < rowsMax) return;
      }
    },
  };
}
