import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { newestStates, type PoolState } from '@jetton-analytics/feed';
import type { StateWriter } from '../inputs/ingest-states.js';
import { instantText } from '../inputs/instant-text.js';
import { keyText } from '../inputs/key-table.js';
import { slices } from '../inputs/slices.js';
import { insertPoolStates, poolRow } from './pool-rows.js';
import { recomputePoolStates } from './pool-states.command.js';

// Bounds the text of one statement.
const poolsPerStatementMax = 5_000;

/** Keeps every state of the pools topic in the ledger, and of each pool the newest one. */
export class PoolWriter implements StateWriter<PoolState> {
  constructor(
    private readonly store: ClickHouseWriter,
    /** The injected clock, ms since 1970. */
    private readonly nowMs: () => number,
  ) {}

  async write(states: readonly PoolState[], assertOwned: () => void): Promise<void> {
    assertOwned();
    await this.store.insert(insertPoolStates, states.map(poolRow));
    const newest = [...newestStates(states, ({ pool }) => pool).values()];
    for (const part of slices(newest, poolsPerStatementMax)) {
      assertOwned();
      await this.store.command(recomputePoolStates, {
        touched: keyText(
          part.map(({ pool, lastUpdated, recordTimestampMs }) => [pool, lastUpdated, instantText(recordTimestampMs)]),
        ),
        writtenAtMs: this.nowMs(),
      });
    }
  }
}
