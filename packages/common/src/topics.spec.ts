import { describe, expect, it } from '@jest/globals';
import { deadLetterTopicOf, embeddedFeedTopics, feedTopics, ownTopics, watermarkTopic } from './topics.js';

const feedNames = Object.values(feedTopics);

describe('the topics of the embedded feed', () => {
  const topics = embeddedFeedTopics(feedNames, 4);

  it('have the names of the public feed and as many partitions as asked for', () => {
    expect(topics.map(({ name, partitions }) => [name, partitions])).toEqual([
      ['indexer.streaming_dex_trades', 4],
      ['indexer.streaming_dex_pools', 4],
      ['indexer.streaming_jetton_metadata', 4],
      ['indexer.streaming_balances_history', 4],
    ]);
  });

  it('keep everything in few segments, take records of 2 MiB, and carry the producer’s time', () => {
    for (const { configs } of topics) {
      expect(configs).toEqual({
        'retention.ms': '-1',
        'retention.bytes': '-1',
        'max.message.bytes': '2097152',
        'message.timestamp.type': 'CreateTime',
        'segment.ms': '315360000000',
      });
    }
  });
});

describe('our own topics', () => {
  const topics = new Map(ownTopics(feedNames).map((topic) => [topic.name, topic]));

  it('are the dead letters of each feed topic, named after it, and the watermarks', () => {
    expect([...topics.keys()]).toEqual([...feedNames.map((name) => `${name}.dlq`), watermarkTopic]);
    expect(deadLetterTopicOf('a.b')).toBe('a.b.dlq');
    expect(ownTopics([], 'other.watermarks').map(({ name }) => name)).toEqual(['other.watermarks']);
  });

  it('keep dead letters, each of up to 64 KiB more than its source takes', () => {
    for (const { name, configs } of embeddedFeedTopics(feedNames, 1)) {
      const letters = topics.get(deadLetterTopicOf(name))?.configs;
      expect(letters?.['retention.ms']).toBe('-1');
      expect(Number(letters?.['max.message.bytes'])).toBe(Number(configs['max.message.bytes']) + 65_536);
    }
  });

  it('stamp watermarks with the broker’s clock and keep the newest of each partition, in one order for all', () => {
    expect(topics.get(watermarkTopic)).toMatchObject({
      partitions: 1,
      configs: { 'cleanup.policy': 'compact', 'message.timestamp.type': 'LogAppendTime' },
    });
  });
});
