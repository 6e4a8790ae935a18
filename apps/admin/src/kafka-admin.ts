import type { createKafka } from '@jetton-analytics/kafka';

type Kafka = ReturnType<typeof createKafka>;
export type KafkaAdmin = ReturnType<Kafka['admin']>;

/** Lends a connected admin client of a cluster for one piece of work. Rejects with what it, or connecting, throws. */
export async function withAdmin<T>(kafka: Kafka, work: (admin: KafkaAdmin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
