import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { type BalanceState, newestStates } from '@jetton-analytics/feed';
import { EpochGuard } from '@jetton-analytics/rollups';
import type { StateWriter } from '../inputs/ingest-states.js';
import { instantText } from '../inputs/instant-text.js';
import { keyText } from '../inputs/key-table.js';
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
const keysPerStatementMax = 5_000;

/** Keeps every message of the balances topic in the ledger, of each owner the newest, and what the owners hold together. */
export class BalanceWriter implements StateWriter<BalanceState> {
  readonly #epochs: EpochGuard;

  constructor(
    private readonly store: ClickHouseWriter,
    private readonly options: BalanceWriterOptions,
  ) {
    this.#epochs = new EpochGuard(store);
  }

  async write(states: readonly BalanceState[], assertOwned: () => void): Promise<void> {
    assertOwned();
    await this.store.insert(insertBalances, states.map(balanceRow));
    const newest = [...newestStates(states, ({ asset, owner }) => `${asset}|${owner}`).values()];
    for (const part of slices(newest, keysPerStatementMax)) {
      assertOwned();
      await this.store.command(recomputeBalances, {
        touched: keyText(
          part.map(({ asset, shard, owner, lt, recordTimestampMs }) => [
            asset,
            shard,
            owner,
            lt,
            instantText(recordTimestampMs),
          ]),
        ),
      });
    }
    const buckets = new Map(newest.map(({ asset, shard }) => [`${asset}|${shard}`, { asset, shard }]));
    for (const part of slices([...buckets.values()], keysPerStatementMax)) {
      assertOwned();
      await this.#epochs.run(() =>
        this.store.command(recomputeHolderBuckets, {
          touched: keyText(part.map(({ asset, shard }) => [asset, shard])),
          burnAddresses: [...this.options.burnAddresses],
          writtenAtMs: this.options.nowMs(),
        }),
      );
    }
  }
}
