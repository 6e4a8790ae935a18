import { afterAll, beforeAll } from '@jest/globals';
import { sharedKafka } from '@jetton-analytics/testing';
import { type KafkaBench, openBench } from '../../../packages/kafka/test/support/kafka-bench.js';
import { newDatabase } from './new-database.js';

interface Stores {
  bench: KafkaBench;
  database: Awaited<ReturnType<typeof newDatabase>>;
  brokers: string;
}

/** The real broker and a migrated database for the tests of a file: there once they run, and let go after the last. */
export function kafkaAndDatabase(): Readonly<Stores> {
  const stores = {} as Stores;
  beforeAll(async () => {
    const { brokers } = await sharedKafka();
    const [bench, database] = await Promise.all([openBench(brokers), newDatabase()]);
    Object.assign(stores, { bench, database, brokers: brokers.join(',') });
  }, 480_000);
  afterAll(async () => {
    await Promise.all([stores.bench?.close(), stores.database?.database.destroy()]);
  });
  return stores;
}
