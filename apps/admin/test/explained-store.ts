import {
  clickhouseSettings,
  type ClickHouseWriter,
  createWriter,
  defineInsert,
  migrate,
} from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import type { Step } from '@jetton-analytics/figures';
import { sharedClickHouse, uniqueName } from '@jetton-analytics/testing';
import { z } from 'zod';
import { beginTerm } from '../../aggregator/src/leadership/terms.query.js';
import type { AssetFacts } from '../../aggregator/src/snapshots/asset-facts.js';
import { assetFactsOfSettings } from '../../aggregator/src/snapshots/asset-facts.js';
import { StepSnapshots } from '../../aggregator/src/snapshots/step-snapshots.js';
import { TradeWriter } from '../../aggregator/src/trades/trade-writer.js';
import { assets, ledgerTrade, type TradeFields } from '../../aggregator/test/feed-messages.js';
import { prices } from '../../aggregator/test/store.js';

const insertStatus = defineInsert<readonly [topic: string, status: string, asOf: number, version: string]>({
  name: 'insertStatus',
  table: 'input_status_v2',
  columns: ['topic', 'status', 'as_of', 'version'],
});

/** A ledger in a database of its own, written and calculated by the aggregator's own parts. */
export interface ExplainedStore {
  readonly env: Readonly<Record<string, string>>;
  readonly store: ClickHouseWriter;
  readonly writer: TradeWriter;
  /** Writes trades as one batch of partition 0. */
  write(...trades: readonly (Omit<TradeFields, 'tx'> & { tx?: string })[]): Promise<void>;
  /** Calculates and publishes a snapshot at C. */
  take(step: Step, calculatedAt: number): Promise<void>;
  /** What the leader tells: the trades are consumed up to the last batch written. */
  tell(nowMs: number): Promise<void>;
}

const allowed = () => undefined;

export async function newExplainedStore(facts: AssetFacts = assetFactsOfSettings(assets)): Promise<ExplainedStore> {
  const { url } = await sharedClickHouse();
  const env = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: uniqueName('admin') };
  const settings = z.object(clickhouseSettings).parse(env);
  await migrate(settings);
  const store = createWriter(settings, { application: 'admin tests' });
  const writer = new TradeWriter(store, { ...prices, legsPerRoundMax: 10_000, nowMs: () => Date.UTC(2026, 2, 10) });
  const { term } = await beginTerm(store, { generationId: 1, clock: 'wall', leader: uniqueName('leader'), nowS: 0 });
  const snapshots = new Map<Step, StepSnapshots>();
  let offset = 0;
  return {
    env,
    store,
    writer,
    async write(...trades) {
      const legs = trades.flatMap((fields, index) => {
        return legsOf(ledgerTrade({ tx: `${offset} ${index}`, ...fields }), assets);
      });
      await writer.write({ partition: 0, lastOffset: String(offset), legs, assertOwned: allowed });
      offset += 1;
    },
    async take(step, calculatedAt) {
      const following = snapshots.get(step) ?? new StepSnapshots(store, step, term, facts, prices);
      snapshots.set(step, following);
      const positions = new Map([[0, String(offset)]]);
      await following.take({ calculatedAt, asOf: calculatedAt, positions, markedOn: '2026-03-10' }, allowed);
    },
    async tell(nowMs) {
      const position = String(offset);
      const status = {
        topic: 'indexer.streaming_dex_trades',
        lagMessages: '0',
        lagSeconds: 0,
        state: 'live',
        partitions: [{ partition: 0, position, endOffset: position, lagMessages: '0' }],
        gaps: [],
      };
      await store.insert(insertStatus, [
        [status.topic, JSON.stringify(status), Math.floor(nowMs / 1_000), String(nowMs)],
      ]);
    },
  };
}
