import { deadLetterTopicOf } from '@jetton-analytics/common';
import { type createKafka, endOffsets, type MessageHeaders, readRecords } from '@jetton-analytics/kafka';
import { AdminError } from '../admin-error.js';
import { withAdmin } from '../kafka-admin.js';

type Kafka = ReturnType<typeof createKafka>;

/** A message that could not be processed, known by the place it was read from. */
export interface Letter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** Its own record time, ms since 1970. */
  readonly timestampMs: number;
  readonly stage: string;
  readonly reason: string;
  readonly detail: string;
  /** The letter's own place in the dead-letter topic, which has one partition unless somebody added some. */
  readonly letterPartition: number;
  readonly letterOffset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Those it came with. */
  readonly headers: MessageHeaders;
  /** What it was put back from, where it is itself a message that was put back; empty otherwise. */
  readonly redrivenFrom: string;
  /** Why it cannot be put back; undefined: it can. */
  readonly hindrance: string | undefined;
}

export interface Letters {
  /** In the order of the first letter of each; a place that the topic holds twice counts once. */
  readonly letters: readonly Letter[];
  /** Records of the dead-letter topic, repeats included. */
  readonly records: number;
  /** Records that name no place, so that they cannot be told from repeats. */
  readonly strange: number;
}

/** Header of a message that was put back: the place it was read from first. */
export const redrivenFromHeader = 'redriven-from';

const lettersMax = 1_000_000;
const ownHeaders = /^(dlq-|truncated$|length$|sha256$)/;

const textOf = (headers: MessageHeaders, name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value.at(-1) : value)?.toString() ?? '';
};

export const placeOf = ({ topic, partition, offset }: Pick<Letter, 'topic' | 'partition' | 'offset'>): string =>
  `${topic}/${partition}/${offset}`;

/**
 * All letters of a topic of the feed, each place once: the dead-letter topic may hold a message several times, since it is
 * written before the offset moves. @throws AdminError where there is no such topic, or more than a million letters
 */
export async function readLetters(kafka: Kafka, topic: string): Promise<Letters> {
  const letterTopic = deadLetterTopicOf(topic);
  return withAdmin(kafka, async (admin) => {
    if (!(await admin.listTopics()).includes(letterTopic)) {
      throw new AdminError('refused', `there is no topic ${letterTopic}`);
    }
    const byPlace = new Map<string, Letter>();
    let [records, strange] = [0, 0];
    for (const { partition, low, high } of await endOffsets(admin, letterTopic)) {
      for (let from = low; from !== high;) {
        const read = await readRecords(kafka, { topic: letterTopic, partition, from, to: high });
        from = read.nextOffset;
        for (const record of read.records) {
          records += 1;
          const letter = letterOf(record, partition);
          if (letter === undefined) strange += 1;
          else if (!byPlace.has(placeOf(letter))) byPlace.set(placeOf(letter), letter);
        }
        if (byPlace.size > lettersMax)
          throw new AdminError('refused', `${letterTopic} holds more than ${lettersMax} letters`);
      }
    }
    return { letters: [...byPlace.values()], records, strange };
  });
}

type Read = Awaited<ReturnType<typeof readRecords>>['records'][number];

function letterOf({ key, value, headers, offset, timestamp }: Read, letterPartition: number): Letter | undefined {
  const [topic, partition, place] = ['dlq-topic', 'dlq-partition', 'dlq-offset'].map((name) => textOf(headers, name));
  if (!topic || !/^\d{1,9}$/.test(partition ?? '') || !/^\d{1,19}$/.test(place ?? '')) return undefined;
  const timestampMs = Number(textOf(headers, 'dlq-timestamp'));
  return {
    topic,
    partition: Number(partition),
    offset: BigInt(place ?? '').toString(),
    timestampMs: Number.isSafeInteger(timestampMs) ? timestampMs : timestamp,
    stage: textOf(headers, 'dlq-stage'),
    reason: textOf(headers, 'dlq-reason'),
    detail: textOf(headers, 'dlq-detail'),
    letterPartition,
    letterOffset: offset,
    key,
    value,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name))),
    redrivenFrom: textOf(headers, redrivenFromHeader),
    hindrance: hindranceOf(value, headers),
  };
}

function hindranceOf(value: Buffer | null, headers: MessageHeaders): string | undefined {
  if (value === null) return 'its bytes are not here';
  return textOf(headers, 'truncated') === 'true' ? 'its bytes were cut off' : undefined;
}
