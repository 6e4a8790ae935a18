// Keeps a table of one rollup topic in SQLite: start it late, kill it whenever you like, start it again.
//
//   npm run example -- --brokers 127.0.0.1:9092 --dataset jettonHour --file hours.sqlite [--prefix dev.] [--once]
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { RollupDataset } from '@jetton-analytics/common';
import { createKafka, type KafkaLogger } from '@jetton-analytics/kafka';
import { followRollups, sortableRevision } from '@jetton-analytics/rollup-client';

const { values } = parseArgs({
  options: {
    brokers: { type: 'string', default: '127.0.0.1:9092' },
    dataset: { type: 'string', default: 'jettonMinute' },
    file: { type: 'string', default: 'rollups.sqlite' },
    prefix: { type: 'string', default: '' },
    // Ends when everything that is published at the start is in the file.
    once: { type: 'boolean', default: false },
  },
});
const dataset = RollupDataset.parse(values.dataset);

const database = new DatabaseSync(values.file);
database.exec(`CREATE TABLE IF NOT EXISTS rollups (
  key TEXT PRIMARY KEY, revision TEXT NOT NULL, is_final INTEGER NOT NULL, record TEXT NOT NULL)`);
// The readers' rule in SQL: the greater revision holds, and of equal ones that which says that the window has ended.
const upsert = database.prepare(`INSERT INTO rollups VALUES (?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, is_final = excluded.is_final, record = excluded.record
  WHERE excluded.revision > revision OR (excluded.revision = revision AND excluded.is_final > is_final)`);

const tell = (fields: object, message: string) => console.error(message, fields);
const quiet = () => undefined;
const logger: KafkaLogger = { debug: quiet, info: quiet, warn: tell, error: tell };

const kafka = createKafka(
  { prefix: 'KAFKA_', brokers: values.brokers.split(','), clientId: 'rollup-subscriber' },
  logger,
);
const subscription = followRollups(kafka, {
  dataset,
  topicPrefix: values.prefix,
  logger,
  async apply(records) {
    database.exec('BEGIN');
    try {
      for (const { key, record } of records) {
        upsert.run(key, sortableRevision(record.revision), record.isFinal ? 1 : 0, JSON.stringify(record));
      }
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  },
  onInvalid: (invalid) => console.error('passed over', invalid),
});

async function stop(): Promise<void> {
  await subscription.stop();
  database.close();
}
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());

await subscription.caughtUp;
const counted = database.prepare('SELECT count(*) AS keys FROM rollups').get();
console.log(`caught up: ${String(counted?.['keys'])} keys, watermark ${subscription.watermark ?? 'unknown'}`);
if (values.once) await stop();
