import { rollupTopicOf, type RollupDataset } from '@jetton-analytics/common';
import type { Kafka } from 'kafkajs';
import type { FeedRecord } from '../oracle/parse-message.js';
import { plainVersion } from './compare-buckets.js';
import { textOf } from './compare-snapshots.js';
import { expectedBuckets, type Grain, type Kind } from './expected-buckets.js';
import type { Tuple } from './expected-snapshots.js';
import type { Findings } from './findings.js';
import { readLog } from './log-reader.js';
import type { Produced } from './read-produced.js';

const buckets = {
  jettonMinute: { kind: 'jetton', grain: 'minute' },
  poolMinute: { kind: 'pool', grain: 'minute' },
  jettonHour: { kind: 'jetton', grain: 'hour' },
  jettonDay: { kind: 'jetton', grain: 'day' },
} as const satisfies Partial<Record<RollupDataset, { readonly kind: Kind; readonly grain: Grain }>>;
type BucketDataset = keyof typeof buckets;
const bucketDatasets = Object.keys(buckets) as BucketDataset[];

/** A record as JSON text. */
interface Kept {
  readonly revision: bigint;
  readonly text: string;
}
/** What somebody has of a dataset who followed it by the readers' rule. */
export type NewestByKey = ReadonlyMap<string, Kept>;

/** What is left of a topic: by the readers' rule, and by compaction alone (the last record of each key). */
interface Left {
  readonly newest: NewestByKey;
  readonly last: ReadonlyMap<string, bigint>;
}

async function read(kafka: Kafka, prefix: string, dataset: RollupDataset, figures: TopicFigures): Promise<Left> {
  const newest = new Map<string, Kept>();
  const last = new Map<string, bigint>();
  const topic = rollupTopicOf(dataset, prefix);
  const written = await readLog(kafka, topic, `${prefix}reader.${dataset}`, ({ key, value }) => {
    figures.records += 1;
    const text = value?.toString() ?? '';
    const revision = BigInt(/"revision":"(\d+)"/.exec(text)?.[1] ?? -1);
    last.set(key ?? '', revision);
    if (revision > (newest.get(key ?? '')?.revision ?? -2n)) newest.set(key ?? '', { revision, text });
  });
  figures.written += Number(written);
  for (const [key, { revision }] of newest) if (last.get(key) !== revision) figures.lastIsOlder += 1;
  return { newest, last };
}

export interface TopicFigures {
  /** Records that were ever written, and that the log cleaner has left. */
  written: number;
  records: number;
  /** Keys whose last record is not the newest: what a subscriber would miss that starts after a compaction. */
  lastIsOlder: number;
}

/** What the datasets must say. */
export interface ExpectedDatasets {
  readonly produced: Produced;
  /** Of the newest snapshot, by `jetton|step`. */
  readonly windows: ReadonlyMap<string, readonly Tuple[]>;
}

/** Compares the rollup topics, read by the readers' rule, with what the messages say, every field of every record. */
export async function compareRollupTopics(
  kafka: Kafka,
  prefix: string,
  expected: ExpectedDatasets,
  findings: Findings,
): Promise<TopicFigures> {
  const figures: TopicFigures = { written: 0, records: 0, lastIsOlder: 0 };
  for (const dataset of [...bucketDatasets, 'statistics'] as const) {
    const { newest } = await read(kafka, prefix, dataset, figures);
    compareDataset(rollupTopicOf(dataset), dataset, newest, expected, findings);
  }
  return figures;
}

/** Compares what a reader has of a dataset; `place` names it. */
export function compareDataset(
  place: string,
  dataset: RollupDataset,
  newest: NewestByKey,
  expected: ExpectedDatasets,
  findings: Findings,
): void {
  if (dataset === 'statistics') compareStatistics(place, newest, expected, findings);
  else compareBuckets(place, dataset, newest, expected, findings);
}

function compareBuckets(
  place: string,
  dataset: BucketDataset,
  newest: NewestByKey,
  { produced }: ExpectedDatasets,
  findings: Findings,
): void {
  const { kind, grain } = buckets[dataset];
  const expected = expectedBuckets(produced.winners, kind, grain, produced.assets);
  for (const [key, { revision, text }] of newest) {
    findings.compared(place);
    const bucket = key.replace(`|${grain}|`, '|');
    const wanted = expected.get(bucket);
    expected.delete(bucket);
    if (wanted === undefined) {
      findings.differs(place, key, 'record', 'published', 'no such bucket');
      continue;
    }
    const { version, counterparts: _notPublished, ...fields } = wanted;
    findings.equal(place, key, 'revision', plainVersion(revision.toString()), version);
    const record = JSON.parse(text) as Record<string, string>;
    for (const [field, value] of Object.entries(fields)) findings.equal(place, key, field, record[field], value);
  }
  for (const key of expected.keys()) findings.differs(place, key, 'record', 'missing', 'a record');
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

function compareStatistics(
  place: string,
  newest: NewestByKey,
  { windows }: ExpectedDatasets,
  findings: Findings,
): void {
  for (const [key, expected] of windows) {
    const kept = newest.get(key);
    findings.compared(place);
    if (kept === undefined) {
      findings.differs(place, key, 'record', 'missing', 'a record');
      continue;
    }
    const record = JSON.parse(kept.text) as { windows: readonly Record<string, Halves | string>[] };
    const tuples = record.windows.map((window) => [
      window['window'],
      ...order.flatMap((name) => {
        const { current, previous } = window[name] as Halves;
        return [tupled(current), tupled(previous)];
      }),
    ]);
    findings.equal(place, key, 'figures', textOf(tuples), textOf(expected));
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
