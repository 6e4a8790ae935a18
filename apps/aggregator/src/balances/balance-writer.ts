import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { type BalanceState, newestStates } from '@jetton-analytics/feed';
import type { StateWriter } from '../inputs/ingest-states.js';
import { slices } from '../inputs/slices.js';
import { balanceRow, insertBalances } from './balance-rows.js';
import { recomputeBalances, recomputeHolderBuckets } from './balances.command.js';

export interface BalanceWriterOptions {
  /** Raw lower-case, besides the zero address of each workchain. */
  readonly burnAddresses: readonly string[];
  /** The injected clock, ms since 1970. */
  nowMs(): number;
}

// Bounds the text of one statement.
const keysPerStatementMax = 2_000;

/** Keeps every message of the balances topic in the ledger, of each owner the newest, and what the owners hold together. */
export class BalanceWriter implements StateWriter<BalanceState> {
  constructor(
    private readonly store: ClickHouseWriter,
    private readonly options: BalanceWriterOptions,
  ) {}

  async write(states: readonly BalanceState[], assertOwned: () => void): Promise<void> {
    assertOwned();
    await this.store.insert(insertBalances, states.map(balanceRow));
    const newest = [...newestStates(states, ({ asset, owner }) => `${asset}|${owner}`).values()];
    for (const part of slices(newest, keysPerStatementMax)) {
      assertOwned();
      await this.store.command(recomputeBalances, {
        assets: part.map(({ asset }) => asset),
        shards: part.map(({ shard }) => shard),
        owners: part.map(({ owner }) => owner),
        lts: part.map(({ lt }) => lt),
        recordTimesMs: part.map(({ recordTimestampMs }) => recordTimestampMs),
      });
    }
    const buckets = new Map(newest.map(({ asset, shard }) => [`${asset}|${shard}`, { asset, shard }]));
    for (const part of slices([...buckets.values()], keysPerStatementMax)) {
      assertOwned();
      await this.store.command(recomputeHolderBuckets, {
        assets: part.map(({ asset }) => asset),
        shards: part.map(({ shard }) => shard),
        burnAddresses: [...this.options.burnAddresses],
        writtenAtMs: this.options.nowMs(),
      });
    }
  }
}
