import {
  type JettonMinuteRollup,
  jettonRollupKey,
  rollupEventHeaders,
  rollupPartitionOf,
  rollupTopicOf,
  rollupTopics,
} from '@jetton-analytics/common';
import { createKafka, createProducer, ensureTopics, type KafkaLogger } from '@jetton-analytics/kafka';
import { sharedKafka, uniqueName } from '@jetton-analytics/testing';
import type { Kafka } from 'kafkajs';

const nothing = (): void => undefined;
export const silent: KafkaLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const partitions = 2;
const dataset = 'jettonMinute';

/** One minute of a jetton, with figures that tell the revision. */
export const minuteOf = (
  jetton: string,
  revision: string,
  more: Partial<JettonMinuteRollup> = {},
): JettonMinuteRollup => ({
  grain: 'minute',
  jetton,
  windowStart: '2026-01-01T00:00:00Z',
  windowEnd: '2026-01-01T00:01:00Z',
  revision,
  watermark: '2026-01-01T00:00:30Z',
  computedAt: '2026-01-01T00:00:31.000Z',
  isFinal: false,
  transactionsBuy: revision,
  transactionsSell: '0',
  volumeUsdBuy: '1.5',
  volumeUsdSell: '0',
  volumeTonBuy: '0',
  volumeTonSell: '0',
  traders: '1',
  tradersBuy: '1',
  tradersSell: '0',
  ...more,
});

/** Its key in the topic; all begin at the same minute. */
export const keyOf = (jetton: string): string => jettonRollupKey(jetton, 'minute', 1_767_225_600);

/** Rollup topics of their own, and a writer of minutes as the aggregator writes them, with a field of a later version. */
export interface Minutes {
  readonly kafka: Kafka;
  readonly brokers: readonly string[];
  readonly prefix: string;
  publish(records: readonly JettonMinuteRollup[]): Promise<void>;
  /** Of one jetton's partition, as given. */
  publishRaw(
    jetton: string,
    records: readonly { readonly value: string | null; readonly headers: Record<string, string> }[],
  ): Promise<void>;
  close(): Promise<void>;
}

export async function newMinutes(): Promise<Minutes> {
  const { brokers } = await sharedKafka();
  const prefix = `${uniqueName('client')}.`;
  const topic = rollupTopicOf(dataset, prefix);
  const kafka = createKafka({ prefix: 'KAFKA_', brokers, clientId: 'rollup client tests' }, silent);
  const producer = createProducer(kafka);
  const admin = kafka.admin();
  await Promise.all([producer.connect(), admin.connect()]);
  await ensureTopics(admin, rollupTopics({ prefix, partitions }));
  await admin.disconnect();
  return {
    kafka,
    brokers,
    prefix,
    async publish(records) {
      await producer.send(
        topic,
        records.map((one) => ({
          key: keyOf(one.jetton),
          value: JSON.stringify({ ...one, ofALaterVersion: 'passed over' }),
          headers: rollupEventHeaders(dataset, keyOf(one.jetton), one),
          partition: rollupPartitionOf(one.jetton, partitions),
        })),
      );
    },
    async publishRaw(jetton, records) {
      const partition = rollupPartitionOf(jetton, partitions);
      await producer.send(
        topic,
        records.map((one) => ({ key: 'k', partition, ...one })),
      );
    },
    close: () => producer.disconnect(),
  };
}
