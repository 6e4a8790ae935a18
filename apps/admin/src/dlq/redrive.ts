import { type createKafka, createProducer, endOffsets, type KafkaProducer, readRecords } from '@jetton-analytics/kafka';
import { DeadLetterRedrive } from '@jetton-analytics/postgres';
import { AdminError } from '../admin-error.js';
import { withAdmin } from '../kafka-admin.js';
import type { Database } from '../database.js';
import { type Letter, placeOf, redrivenFromHeader } from './read-letters.js';

type Kafka = ReturnType<typeof createKafka>;

export interface RedriveOptions {
  readonly by: string;
  readonly now: () => Date;
  /** Record time of what is put back: that of the original, or the time of sending. */
  readonly stamp: 'original' | 'now';
  onProgress(done: number, of: number): void;
}

export interface Redriven {
  /** Put back by this run. */
  readonly sent: number;
  /** A run that was killed had put them back: they were found on their topic. */
  readonly found: number;
}

const lettersPerRound = 200;
const lockName = 'dead_letter_redrives';

const keyOf = ({ topic, partition, offset }: Letter) => ({ topic, partition, offset });

/** Places that were put back before, or begun to be. */
export async function knownRedrives(
  { manager }: Pick<Database, 'manager'>,
  topics: readonly string[],
): Promise<ReadonlyMap<string, DeadLetterRedrive>> {
  const rows = await manager
    .createQueryBuilder(DeadLetterRedrive, 'redrive')
    .where('redrive.topic = ANY(:topics)', { topics: [...topics] })
    .getMany();
  return new Map(rows.map((row) => [placeOf(row), row]));
}

/**
 * Puts letters back on the topics they were read from, with their original bytes, key, headers and partition; each once,
 * however often and by whomever it is asked for. A letter is noted as being sent, with the end of its partition, before it
 * is sent, and as sent once it is acknowledged: after a kill in between it is looked for behind that end, by its header
 * `redriven-from`, before it is sent again. Letters that cannot be put back must not be among them.
 * @throws AdminError while another redrive is running, and what the stores throw
 */
export async function redrive(
  database: Database,
  kafka: Kafka,
  letters: readonly Letter[],
  options: RedriveOptions,
): Promise<Redriven> {
  const lock = database.createQueryRunner();
  const producer = createProducer(kafka);
  try {
    const [row] = (await lock.query('SELECT pg_try_advisory_lock(hashtext($1)) AS held', [lockName])) as {
      held: boolean;
    }[];
    if (row?.held !== true) throw new AdminError('refused', 'another redrive is running');
    await producer.connect();
    let [sent, found] = [0, 0];
    for (let start = 0; start < letters.length; start += lettersPerRound) {
      const round = await putBack(database, kafka, producer, letters.slice(start, start + lettersPerRound), options);
      sent += round.sent;
      found += round.found;
      options.onProgress(Math.min(letters.length, start + lettersPerRound), letters.length);
    }
    return { sent, found };
  } finally {
    await producer.disconnect();
    // Ends the session and with it the lock.
    await lock.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    await lock.release();
  }
}

async function putBack(
  database: Database,
  kafka: Kafka,
  producer: KafkaProducer,
  round: readonly Letter[],
  { by, now, stamp }: RedriveOptions,
): Promise<Redriven> {
  const { manager } = database;
  const known = await knownRedrives(database, [...new Set(round.map(({ topic }) => topic))]);
  const due = round.filter((letter) => known.get(placeOf(letter))?.state !== 'sent');
  const begun = due.flatMap((letter) => known.get(placeOf(letter)) ?? []);
  const there = await placesThere(kafka, begun);
  const note = (letter: Letter, state: 'sending' | 'sent', lookedFrom: Readonly<Record<string, string>>) => ({
    ...keyOf(letter),
    state,
    lookedFrom,
    setBy: by,
    setAt: now(),
  });
  const primaryKey = ['topic', 'partition', 'offset'];
  const missing = due.filter((letter) => !there.has(placeOf(letter)));
  const ends = await endsOf(kafka, missing);
  const lookedFrom = (letter: Letter) => known.get(placeOf(letter))?.lookedFrom ?? ends.get(letter.topic) ?? {};
  await manager.upsert(
    DeadLetterRedrive,
    missing.map((letter) => note(letter, 'sending', lookedFrom(letter))),
    primaryKey,
  );
  for (const [topic, ofTopic] of Map.groupBy(missing, (letter) => letter.topic)) {
    await producer.send(
      topic,
      ofTopic.map((letter) => ({
        key: letter.key,
        value: letter.value,
        partition: letter.partition,
        headers: { ...letter.headers, [redrivenFromHeader]: placeOf(letter) },
        ...(stamp === 'original' && { timestampMs: letter.timestampMs }),
      })),
    );
  }
  await manager.upsert(
    DeadLetterRedrive,
    due.map((letter) => note(letter, 'sent', lookedFrom(letter))),
    primaryKey,
  );
  return { sent: missing.length, found: due.length - missing.length };
}

async function endsOf(kafka: Kafka, letters: readonly Letter[]): Promise<Map<string, Record<string, string>>> {
  const topics = [...new Set(letters.map(({ topic }) => topic))];
  if (topics.length === 0) return new Map();
  return withAdmin(kafka, async (admin) => {
    const ends = await Promise.all(topics.map((topic) => endOffsets(admin, topic)));
    return new Map(
      topics.map((topic, index) => [
        topic,
        Object.fromEntries((ends[index] ?? []).map(({ partition, high }) => [String(partition), high])),
      ]),
    );
  });
}

/** Which of those that were begun lie on their topics, behind where they were looked for then. */
async function placesThere(kafka: Kafka, begun: readonly DeadLetterRedrive[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  if (begun.length === 0) return there;
  return withAdmin(kafka, async (admin) => {
    for (const [topic, ofTopic] of Map.groupBy(begun, (one) => one.topic)) {
      const wanted = new Set(ofTopic.map(placeOf));
      for (const { partition, low, high } of await endOffsets(admin, topic)) {
        const ofPartition = ofTopic.filter((one) => one.partition === partition);
        if (ofPartition.length === 0) continue;
        const starts = ofPartition.map(({ lookedFrom }) => BigInt(lookedFrom[String(partition)] ?? '0'));
        const least = starts.reduce((a, b) => (a < b ? a : b));
        for (let from = (least > BigInt(low) ? least : BigInt(low)).toString(); BigInt(from) < BigInt(high);) {
          const read = await readRecords(kafka, { topic, partition, from, to: high });
          from = read.nextOffset;
          for (const { headers } of read.records) {
            const place = headers[redrivenFromHeader]?.toString() ?? '';
            if (wanted.has(place)) there.add(place);
          }
        }
      }
    }
    return there;
  });
}
