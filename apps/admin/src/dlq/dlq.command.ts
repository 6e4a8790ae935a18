import { createKafka, resolveConnections } from '@jetton-analytics/kafka';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command, Option } from 'commander';
import { AdminError } from '../admin-error.js';
import { withDatabase } from '../database.js';
import { FeedEnv, feedTopicsOf } from '../env.js';
import { journaling } from '../journal/journaling.js';
import { Progress } from '../progress.js';
import {
  type CommonFlags,
  type Report,
  type Runner,
  type Session,
  wholeNumber,
  withCommonOptions,
} from '../session.js';
import { silent } from '../silent.js';
import { fields, table } from '../table.js';
import { countsByReason, letterJson } from './letter-text.js';
import { type Letter, placeOf, readLetters } from './read-letters.js';
import { knownRedrives, redrive } from './redrive.js';

interface LetterFlags extends CommonFlags {
  readonly reason?: string;
  readonly partition?: number;
  readonly offset?: number;
}
interface RedriveFlags extends LetterFlags {
  readonly stamp: 'original' | 'now';
  readonly returned?: true;
}

const shownDefault = 20;
const valueCharsMax = 100;

const connectionsOf = (session: Session) => resolveConnections(loadSettings(FeedEnv, session.env));

/** Those that the options ask for. */
const selected = (letters: readonly Letter[], { reason, partition, offset }: LetterFlags) =>
  letters.filter(
    (letter) =>
      (reason === undefined || letter.reason === reason) &&
      (partition === undefined || letter.partition === partition) &&
      (offset === undefined || BigInt(letter.offset) === BigInt(offset)),
  );

const isoOf = (timestampMs: number | undefined): string | null =>
  timestampMs === undefined || Math.abs(timestampMs) > 8.64e15 ? null : new Date(timestampMs).toISOString();

async function list(session: Session): Promise<Report> {
  const kafka = createKafka(connectionsOf(session).own, silent);
  const topics = feedTopicsOf(loadSettings(FeedEnv, session.env));
  const found = await Promise.all(
    topics.map(async (topic) => {
      const letters = await readLetters(kafka, topic).catch((error: unknown) => {
        if (error instanceof AdminError) return undefined;
        throw error;
      });
      return { topic, letters };
    }),
  );
  const redrives = await withDatabase(session, (database) => knownRedrives(database, topics));
  const rows = found.map(({ topic, letters: read }) => {
    if (read === undefined)
      return { topic, exists: false, letters: 0, records: 0, strange: 0, redriven: 0, reasons: {} };
    const { letters, records, strange } = read;
    const times = letters.map(({ timestampMs }) => timestampMs);
    const redriven = letters.filter((letter) => redrives.get(placeOf(letter))?.state === 'sent').length;
    return {
      topic,
      exists: true,
      letters: letters.length,
      records,
      strange,
      redriven,
      oldest: isoOf(times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))),
      newest: isoOf(times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b))),
      reasons: Object.fromEntries(countsByReason(letters)),
    };
  });
  const cells = rows.map((row) => [
    row.topic,
    row.exists ? String(row.letters) : 'no such topic',
    String(row.records - row.letters - row.strange),
    String(row.redriven),
    row.newest ?? '-',
    Object.entries(row.reasons)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', '),
  ]);
  return {
    json: { topics: rows },
    lines: table(['topic', 'letters', 'repeats', 'redriven', 'newest record', 'reasons'], cells),
  };
}

async function show(session: Session, topic: string, flags: LetterFlags & { readonly limit: number }): Promise<Report> {
  const { letters } = await readLetters(createKafka(connectionsOf(session).own, silent), topic);
  const chosen = selected(letters, flags);
  const shown = chosen.slice(-flags.limit);
  const redrives = await withDatabase(session, (database) => knownRedrives(database, [topic]));
  const when = (letter: Letter) => redrives.get(placeOf(letter))?.setAt.toISOString() ?? null;
  const rows = shown.map((letter) => [
    `${letter.partition}/${letter.offset}`,
    isoOf(letter.timestampMs) ?? '-',
    letter.reason,
    letter.detail,
    when(letter) ?? (letter.hindrance === undefined ? 'no' : `cannot: ${letter.hindrance}`),
    letter.value === null
      ? '-'
      : letter.value
          .subarray(0, 4 * valueCharsMax)
          .toString()
          .slice(0, valueCharsMax),
  ]);
  return {
    json: {
      topic,
      letters: chosen.length,
      shown: shown.map((letter) => letterJson(letter, when(letter))),
    },
    lines: [
      `${chosen.length} letters of ${topic}${chosen.length > shown.length ? `, the newest ${shown.length}` : ''}`,
      '',
      ...table(['place', 'record time', 'reason', 'detail', 'redriven', 'value'], rows),
    ],
  };
}

async function putBack(session: Session, topic: string, flags: RedriveFlags): Promise<Report> {
  const connections = connectionsOf(session);
  const by = session.actor();
  const { dryRun } = session;
  const { letters } = await readLetters(createKafka(connections.own, silent), topic);
  const chosen = selected(letters, flags);
  const whole = chosen.filter(({ hindrance }) => hindrance === undefined);
  // What was put back and came again would go round for ever with every repetition.
  const possible = whole.filter(({ redrivenFrom }) => flags.returned === true || redrivenFrom === '');
  const { reason = null, partition = null, offset = null, stamp } = flags;
  const asked = { topic, reason, partition, offset, stamp };
  const progress = new Progress(session, 'put back');
  const now = () => new Date(session.clock.now());
  const result = await withDatabase(session, async (database) => {
    const known = await knownRedrives(database, [...new Set(possible.map((letter) => letter.topic))]);
    const due = possible.filter((letter) => known.get(placeOf(letter))?.state !== 'sent');
    const already = possible.length - due.length;
    if (dryRun || due.length === 0) return { redriven: due.length, found: 0, already };
    const source = createKafka(connections.source, silent);
    return journaling(session, 'dlq redrive', asked, async () => {
      const done = await redrive(database, source, due, {
        by,
        now,
        stamp,
        onProgress: (n, of) => progress.step(n, of),
      });
      return { redriven: done.sent, found: done.found, already };
    });
  }).finally(() => progress.end());
  const cannot = chosen.length - whole.length;
  const returned = whole.length - possible.length;
  return {
    json: { ...asked, letters: chosen.length, ...result, returned, cannot, dryRun, by },
    lines: fields([
      [dryRun ? 'would put back' : 'put back', `${result.redriven} of ${chosen.length} letters of ${topic}`],
      ['already', `${result.already + result.found} were put back before`],
      ['returned', `${returned} were put back before and came again (--returned puts them back once more)`],
      ['cannot', `${cannot} whose bytes are not here as they were`],
      ['by', by],
    ]),
  };
}

const withLetterOptions = (command: Command): Command =>
  command
    .option('--reason <reason>', 'only letters of this reason')
    .addOption(new Option('--partition <n>', 'only of this partition').argParser(wholeNumber('--partition', 0, 1e6)))
    .addOption(
      new Option('--offset <n>', 'only the one from this offset').argParser(wholeNumber('--offset', 0, 1e15 - 1)),
    );

/** `dlq list|show|redrive`: messages that could not be processed. */
export function dlqCommand(run: Runner): Command {
  const dlq = new Command('dlq').description(
    'messages that could not be processed; each place of the feed counts once',
  );
  const listing = dlq.command('list').description('how many letters each topic of the feed has, and why');
  withCommonOptions(listing, { changes: false }).action((flags: CommonFlags) => run(flags, list));
  const showing = withLetterOptions(
    dlq.command('show <topic>').description('letters of a topic of the feed, the newest last'),
  ).addOption(new Option('--limit <n>', 'how many').default(shownDefault).argParser(wholeNumber('--limit', 1, 1e6)));
  withCommonOptions(showing, { changes: false }).action((topic: string, flags: LetterFlags & { limit: number }) =>
    run(flags, (session) => show(session, topic, flags)),
  );
  const redriving = withLetterOptions(
    dlq.command('redrive <topic>').description('put letters back on the topic they came from, each once'),
  ).addOption(
    new Option('--stamp <time>', 'their record time: the original one, or now')
      .choices(['original', 'now'])
      .default('original'),
  );
  redriving.option('--returned', 'also letters of messages that were put back and are bad still');
  withCommonOptions(redriving, { changes: true }).action((topic: string, flags: RedriveFlags) =>
    run(flags, (session) => putBack(session, topic, flags)),
  );
  return dlq;
}
