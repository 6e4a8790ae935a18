/** A topic as the explicit, idempotent topic step creates it. Sizes in bytes, times in milliseconds. */
export interface TopicContract {
  readonly name: string;
  readonly partitions: number;
  readonly configs: Readonly<Record<string, string>>;
}

/** Default names of the feed's topics; each is a setting. */
export const feedTopics = {
  trades: 'indexer.streaming_dex_trades',
  pools: 'indexer.streaming_dex_pools',
  jettonMetadata: 'indexer.streaming_jetton_metadata',
  balances: 'indexer.streaming_balances_history',
} as const;

/** Watermarks of the trades topic's partitions, see PartitionWatermark. */
export const watermarkTopic = 'aggregator.watermarks.partition.v1';

/** Name of the dead-letter topic of a feed topic. */
export const deadLetterTopicOf = (topic: string): string => `${topic}.dlq`;

const feedRecordBytesMax = 2 * 1024 * 1024;
const deadLetterExtraBytes = 64 * 1024;
const tenYearsMs = 3_650 * 86_400_000;

/** Topics that only the embedded stack creates: the feed itself. They keep everything. */
export function embeddedFeedTopics(names: readonly string[], partitions: number): TopicContract[] {
  return names.map((name) => ({
    name,
    partitions,
    configs: {
      'retention.ms': '-1',
      'retention.bytes': '-1',
      'max.message.bytes': String(feedRecordBytesMax),
      'message.timestamp.type': 'CreateTime',
      // By the records' own times, which walk through months in seconds here: a fetch reads one segment at most, so that
      // one for each week of history would make every fetch a small one.
      'segment.ms': String(tenYearsMs),
    },
  }));
}

/** Topics the service writes on its own cluster: dead letters of each feed topic and the watermarks. */
export function ownTopics(feedNames: readonly string[], watermarks: string = watermarkTopic): TopicContract[] {
  return [
    ...feedNames.map((name) => ({
      name: deadLetterTopicOf(name),
      partitions: 1,
      configs: { 'retention.ms': '-1', 'max.message.bytes': String(feedRecordBytesMax + deadLetterExtraBytes) },
    })),
    {
      name: watermarks,
      partitions: 1,
      configs: {
        'cleanup.policy': 'compact',
        'message.timestamp.type': 'LogAppendTime',
        'segment.ms': '600000',
        'min.cleanable.dirty.ratio': '0.1',
      },
    },
  ];
}
