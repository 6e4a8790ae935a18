import { type ClickHouseWriter, defineInsert } from '@jetton-analytics/clickhouse';
import type { Leg } from '@jetton-analytics/feed';
import { LRUCache } from 'lru-cache';

type FirstTradeRow = readonly [jetton: string, firstTradeS: number, writtenAtS: string];

const insertFirstTrades = defineInsert<FirstTradeRow>({
  name: 'insertFirstTrades',
  table: 'jetton_first_trades_v1',
  columns: ['jetton', 'first_trade_s', 'written_at'],
});

/**
 * Keeps the earliest trade ever seen of each jetton. The table holds a minimum, so that writing one again or a later one
 * changes nothing; what is known to be there is not written again, within the bound of what is remembered.
 */
export class FirstTrades {
  readonly #stored: LRUCache<string, number>;

  constructor(
    private readonly store: Pick<ClickHouseWriter, 'insert'>,
    jettonsMax: number,
  ) {
    this.#stored = new LRUCache({ max: jettonsMax });
  }

  /** Resolves when the table holds every trade among the legs, or an earlier one of its jetton. */
  async write(legs: readonly Leg[], nowMs: number): Promise<void> {
    const earlier = new Map<string, number>();
    for (const { jetton, eventTime, isTrade } of legs) {
      if (isTrade && eventTime < (earlier.get(jetton) ?? this.#stored.get(jetton) ?? Infinity))
        earlier.set(jetton, eventTime);
    }
    if (earlier.size === 0) return;
    const writtenAt = (nowMs / 1_000).toFixed(3);
    await this.store.insert(
      insertFirstTrades,
      [...earlier].map(([jetton, firstTrade]): FirstTradeRow => [jetton, firstTrade, writtenAt]),
    );
    for (const [jetton, firstTrade] of earlier) this.#stored.set(jetton, firstTrade);
  }
}
