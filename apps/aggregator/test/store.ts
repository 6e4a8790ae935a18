import { clickhouseSettings, type ClickHouseWriter, createWriter, migrate } from '@jetton-analytics/clickhouse';
import { nativeAsset } from '@jetton-analytics/feed';
import { sharedClickHouse, uniqueName } from '@jetton-analytics/testing';
import { z } from 'zod';
import { TradeWriter } from '../src/trades/trade-writer.js';
import { assets } from './feed-messages.js';

export const prices = {
  quoteAssets: [nativeAsset, ...assets.stables, ...assets.lsds],
  priceMinTradeUsd: '1',
};

/** A migrated database of its own on the engine of the test run. */
export async function newStore(): Promise<{ store: ClickHouseWriter; writer: TradeWriter }> {
  const { url } = await sharedClickHouse();
  const settings = z
    .object(clickhouseSettings)
    .parse({ CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: uniqueName('aggregator') });
  await migrate(settings);
  const store = createWriter(settings, { application: 'aggregator tests' });
  const writer = new TradeWriter(store, { ...prices, legsPerRoundMax: 10_000, nowMs: () => Date.UTC(2026, 0, 2) });
  return { store, writer };
}
