// The baseline of bench:ingest: a plain kafkajs consumer that inserts the same ledger rows, in batches as it gets them,
// and does nothing else: no dead letters, no rollups, no watermarks. Prints how many messages it has written, and `done`
// at `EXPECTED`.
import { clickhouseSettings, createWriter, defineInsert } from '@jetton-analytics/clickhouse';
import { createAssets, feedSettings, type Leg, legsOf, parseTradeMessage } from '@jetton-analytics/feed';
import { createKafka } from '@jetton-analytics/kafka';
import { z } from 'zod';
import { quiet } from './bench-stack.js';

const settings = z
  .object({
    ...clickhouseSettings,
    ...feedSettings,
    KAFKA_BROKERS: z.string(),
    GROUP: z.string(),
    EXPECTED: z.coerce.number(),
  })
  .parse(process.env);
const assets = createAssets(settings);
const store = createWriter(settings, { application: 'bare consumer', lane: 'write' });
const insertRows = defineInsert<readonly unknown[]>({
  name: 'insertRows',
  table: 'jetton_legs_v1',
  columns: [
    'minute',
    'jetton',
    'pool',
    'event_id',
    'side',
    'event_time',
    'counter_asset',
    'amount',
    'counter_amount',
    'volume_usd',
    'volume_ton',
    'trader',
    'project',
    'tx_hash',
    'revision',
    'deleted',
    'is_trade',
    'record_time',
    'version',
  ],
});
const rowOf = (leg: Leg) => [
  leg.minute,
  leg.jetton,
  leg.pool,
  leg.eventId,
  leg.side,
  leg.eventTime,
  leg.counterAsset,
  leg.amount.toString(),
  leg.counterAmount.toString(),
  leg.volumeUsd,
  leg.volumeTon,
  leg.trader,
  leg.project,
  leg.txHash,
  leg.revision,
  leg.deleted ? 1 : 0,
  leg.isTrade ? 1 : 0,
  (leg.recordTimestampMs / 1_000).toFixed(3),
  leg.version.toString(),
];

const kafka = createKafka({ prefix: 'KAFKA_', brokers: settings.KAFKA_BROKERS.split(','), clientId: 'bare' }, quiet);
const consumer = kafka.consumer({
  groupId: settings.GROUP,
  maxBytesPerPartition: 4 * 1024 * 1024,
  maxBytes: 16 * 1024 * 1024,
  maxWaitTimeInMs: 250,
});
await consumer.connect();
await consumer.subscribe({ topics: [settings.DEX_TRADES_TOPIC], fromBeginning: true });
let seen = 0;
await consumer.run({
  partitionsConsumedConcurrently: 8,
  eachBatch: async ({ batch }) => {
    const rows = batch.messages.flatMap((message) => {
      const outcome = parseTradeMessage({ value: message.value, timestampMs: Number(message.timestamp) }, assets);
      return outcome.kind === 'trade' ? legsOf(outcome.trade, assets).map(rowOf) : [];
    });
    await store.insert(insertRows, rows);
    seen += batch.messages.length;
    console.log(String(seen));
    if (seen >= settings.EXPECTED) console.log('done');
  },
});
const stop = async () => {
  await consumer.disconnect();
  await store.close();
};
process.once('SIGTERM', () => void stop());
