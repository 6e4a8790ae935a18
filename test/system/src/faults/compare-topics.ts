import type { Kafka } from 'kafkajs';
import type { FeedRecord } from '../oracle/parse-message.js';
import { plainVersion } from './compare-buckets.js';
import { textOf } from './compare-snapshots.js';
import { expectedBuckets, type Grain, type Kind } from './expected-buckets.js';
import type { Tuple } from './expected-snapshots.js';
import type { Findings } from './findings.js';
import { readLog } from './log-reader.js';
import type { Produced } from './read-produced.js';

const datasets: readonly { readonly topic: string; readonly kind: Kind; readonly grain: Grain }[] = [
  { topic: 'jettons.rollup.minute.v1', kind: 'jetton', grain: 'minute' },
  { topic: 'pools.rollup.minute.v1', kind: 'pool', grain: 'minute' },
  { topic: 'jettons.rollup.hour.v1', kind: 'jetton', grain: 'hour' },
  { topic: 'jettons.rollup.day.v1', kind: 'jetton', grain: 'day' },
];

interface Kept {
  readonly revision: bigint;
  readonly text: string;
}

/** What is left of a topic: by the readers' rule, and by compaction alone (the last record of each key). */
interface Left {
  readonly newest: ReadonlyMap<string, Kept>;
  readonly last: ReadonlyMap<string, bigint>;
  readonly records: number;
}

async function read(kafka: Kafka, topic: string, groupId: string): Promise<Left> {
  const newest = new Map<string, Kept>();
  const last = new Map<string, bigint>();
  let records = 0;
  await readLog(kafka, topic, groupId, ({ key, value }) => {
    records += 1;
    const text = value?.toString() ?? '';
    const revision = BigInt(/"revision":"(\d+)"/.exec(text)?.[1] ?? -1);
    last.set(key ?? '', revision);
    if (revision > (newest.get(key ?? '')?.revision ?? -2n)) newest.set(key ?? '', { revision, text });
  });
  return { newest, last, records };
}

export interface TopicFigures {
  records: number;
  /** Keys whose last record is not the newest: what a subscriber would miss that starts after a compaction. */
  lastIsOlder: number;
}

/** Compares the rollup topics, read by the readers' rule, with what the messages say, every field of every bucket. */
export async function compareRollupTopics(
  kafka: Kafka,
  prefix: string,
  produced: Produced,
  findings: Findings,
  figures: TopicFigures,
): Promise<void> {
  for (const { topic, kind, grain } of datasets) {
    const { newest, last, records } = await read(kafka, prefix + topic, `${prefix}reader.${topic}`);
    figures.records += records;
    for (const [key, { revision }] of newest) if (last.get(key) !== revision) figures.lastIsOlder += 1;
    const expected = expectedBuckets(produced.winners, kind, grain, produced.assets);
    for (const [key, { revision, text }] of newest) {
      findings.compared(topic);
      const bucket = key.replace(`|${grain}|`, '|');
      const wanted = expected.get(bucket);
      expected.delete(bucket);
      if (wanted === undefined) {
        findings.differs(topic, key, 'record', 'published', 'no such bucket');
        continue;
      }
      const { version, counterparts: _notPublished, ...fields } = wanted;
      findings.equal(topic, key, 'revision', plainVersion(revision.toString()), version);
      const record = JSON.parse(text) as Record<string, string>;
      for (const [field, value] of Object.entries(fields)) findings.equal(topic, key, field, record[field], value);
    }
    for (const key of expected.keys()) findings.differs(topic, key, 'record', 'missing', 'a record');
  }
}

type Halves = { readonly current: unknown; readonly previous: unknown };
const order = [
  'transactionsBuy',
  'transactionsSell',
  'traders',
  'tradersBuy',
  'tradersSell',
  'volumeUsdBuy',
  'volumeUsdSell',
  'volumeTonBuy',
  'volumeTonSell',
  'priceTon',
  'priceUsd',
];
const tupled = (value: unknown) =>
  typeof value === 'object' && value !== null && 'value' in value && 'decimals' in value
    ? [value.value, value.decimals]
    : value;

/** Compares the statistics topic with the windows of the newest snapshot, by `jetton|step`. */
export async function compareStatisticsTopic(
  kafka: Kafka,
  prefix: string,
  windows: ReadonlyMap<string, readonly Tuple[]>,
  findings: Findings,
  figures: TopicFigures,
): Promise<void> {
  const topic = 'jettons.statistics.v1';
  const { newest, last, records } = await read(kafka, prefix + topic, `${prefix}reader.${topic}`);
  figures.records += records;
  for (const [key, expected] of windows) {
    const kept = newest.get(key);
    findings.compared(topic);
    if (kept === undefined) {
      findings.differs(topic, key, 'record', 'missing', 'a record');
      continue;
    }
    if (last.get(key) !== kept.revision) figures.lastIsOlder += 1;
    const record = JSON.parse(kept.text) as { windows: readonly Record<string, Halves | string>[] };
    const tuples = record.windows.map((window) => [
      window['window'],
      ...order.flatMap((name) => {
        const { current, previous } = window[name] as Halves;
        return [tupled(current), tupled(previous)];
      }),
    ]);
    findings.equal(topic, key, 'figures', textOf(tuples), textOf(expected));
  }
}

/** Compares the dead letters with the messages that must be among them: each place once, with its bytes and reason. */
export async function compareDeadLetters(
  kafka: Kafka,
  topic: string,
  bad: ReadonlyMap<string, { readonly record: FeedRecord; readonly reason: string }>,
  findings: Findings,
): Promise<{ letters: number; copies: number }> {
  const place = 'dead letters';
  const seen = new Set<string>();
  let letters = 0;
  await readLog(kafka, `${topic}.dlq`, `${topic}.dlq.reader`, ({ value, headers }) => {
    letters += 1;
    const at = `${headers['dlq-partition']}/${headers['dlq-offset']}`;
    const wanted = bad.get(at);
    findings.compared(place);
    seen.add(at);
    findings.equal(place, at, 'topic', headers['dlq-topic'], topic);
    findings.equal(place, at, 'reason', headers['dlq-reason'], wanted?.reason);
    const isWhole = headers['truncated'] !== 'true';
    const bytes = wanted?.record.value ?? Buffer.alloc(0);
    const isSame = value !== null && (isWhole ? value.equals(bytes) : bytes.subarray(0, value.length).equals(value));
    if (!isSame) findings.differs(place, at, 'bytes', value?.length, bytes.length);
  });
  for (const at of bad.keys()) if (!seen.has(at)) findings.differs(place, at, 'letter', 'missing', 'a letter');
  return { letters, copies: letters - seen.size };
}
