import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedKafka, uniqueName } from '@jetton-analytics/testing';
import kafkajs from 'kafkajs';
import { type KafkaBench, openBench } from './support/kafka-bench.js';
import { readAll } from './support/read-all.js';

let bench: KafkaBench;
beforeAll(async () => {
  bench = await openBench((await sharedKafka()).brokers);
}, 480_000);
afterAll(() => bench?.close());

const { CompressionTypes } = kafkajs;
const values = Array.from(
  { length: 3_000 },
  (_, index) => `{"index":${index},"text":"${'trade '.repeat(index % 40)}"}`,
);

describe('codecs', () => {
  it.each(['gzip', 'snappy', 'lz4', 'zstd'])(
    'reads what a broker has packed with %s',
    async (name) => {
      const topic = await bench.newTopic(uniqueName(name), { configs: { 'compression.type': name } });
      await bench.producer.send(
        topic,
        values.map((value) => ({ value })),
      );
      expect((await readAll(bench.kafka, topic)).map(({ value }) => String(value))).toEqual(values);
    },
    180_000,
  );

  it.each([
    ['gzip', CompressionTypes.GZIP],
    ['snappy', CompressionTypes.Snappy],
    ['lz4', CompressionTypes.LZ4],
    ['zstd', CompressionTypes.ZSTD],
  ])(
    'writes %s that a broker unpacks and we read',
    async (name, compression) => {
      // A topic with another codec of its own makes the broker unpack what it is sent.
      const topic = await bench.newTopic(uniqueName(name), { configs: { 'compression.type': 'uncompressed' } });
      const producer = bench.kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
      await producer.connect();
      await producer.send({ topic, compression, acks: -1, messages: values.map((value) => ({ value })) });
      await producer.disconnect();
      expect((await readAll(bench.kafka, topic)).map(({ value }) => String(value))).toEqual(values);
    },
    180_000,
  );
});
