import { createKafka, createProducer, resolveConnections } from '@jetton-analytics/kafka';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command, Option } from 'commander';
import { AdminError } from '../admin-error.js';
import { withAdmin } from '../kafka-admin.js';
import { type Database, withDatabase } from '../database.js';
import { FeedEnv } from '../env.js';
import { journaling } from '../journal/journaling.js';
import { Progress } from '../progress.js';
import { type CommonFlags, type Report, type Runner, type Session, withCommonOptions } from '../session.js';
import { silent } from '../silent.js';
import { table } from '../table.js';
import { type LineFile, openLineFile } from './line-file.js';
import { sendFile, sentBefore } from './send-file.js';

const inputs = ['trades', 'pools', 'metadata', 'balances'] as const;

interface BackfillFlags extends CommonFlags {
  readonly as: (typeof inputs)[number];
  readonly again?: true;
}

interface FileReport {
  readonly file: string;
  readonly sha256: string;
  readonly fromLine: number;
  readonly lines: number;
  readonly sent: number;
  readonly tooLong: number;
  readonly state: 'sent' | 'sentBefore' | 'wouldSend';
}

async function topicOf(session: Session, as: BackfillFlags['as']): Promise<string> {
  const settings = loadSettings(FeedEnv, session.env);
  const topic = {
    trades: settings.DEX_TRADES_TOPIC,
    pools: settings.DEX_POOLS_TOPIC,
    metadata: settings.JETTON_METADATA_TOPIC,
    balances: settings.BALANCES_TOPIC,
  }[as];
  return withAdmin(createKafka(resolveConnections(settings).source, silent), async (admin) => {
    if ((await admin.listTopics()).includes(topic)) return topic;
    throw new AdminError('refused', `there is no topic ${topic}`);
  });
}

async function backfill(session: Session, paths: readonly string[], flags: BackfillFlags): Promise<Report> {
  const by = session.actor();
  const files = await Promise.all(paths.map((path) => openLineFile(path, session.folder)));
  const topic = await topicOf(session, flags.as);
  const reports = await withDatabase(session, (database) => sendAll(session, database, files, topic, flags));
  const { dryRun } = session;
  const states = { sent: 'sent', sentBefore: 'was sent before: nothing to do', wouldSend: 'would be sent' };
  return {
    json: { topic, files: reports, dryRun, by },
    lines: table(
      ['file', 'topic', 'from line', 'to line', 'records', 'too long', 'state'],
      reports.map((one) => [
        one.file,
        topic,
        String(one.fromLine + 1),
        one.state === 'wouldSend' ? 'the end' : String(one.lines),
        String(one.sent),
        String(one.tooLong),
        states[one.state],
      ]),
    ),
  };
}

async function sendAll(
  session: Session,
  database: Database,
  files: readonly LineFile[],
  topic: string,
  flags: BackfillFlags,
): Promise<FileReport[]> {
  const plans = await Promise.all(
    files.map(async (file) => {
      const before = await sentBefore(database, file, topic);
      const isDone = before?.finished === true && flags.again !== true;
      const isBegun = before !== null && !before.finished;
      return { file, isDone, fromLine: isDone || isBegun ? Number(before.lines) : 0 };
    }),
  );
  const nothing = { sent: 0, tooLong: 0 };
  const reportOf = (
    { file, fromLine }: (typeof plans)[number],
    more: Omit<FileReport, 'file' | 'sha256' | 'fromLine'>,
  ) => ({
    file: file.name,
    sha256: file.sha256,
    fromLine,
    ...more,
  });
  const planned = plans.map((plan) =>
    reportOf(plan, { ...nothing, lines: plan.fromLine, state: plan.isDone ? 'sentBefore' : 'wouldSend' }),
  );
  if (session.dryRun || plans.every(({ isDone }) => isDone)) return planned;
  const asked = { topic, files: files.map(({ name, sha256 }) => ({ name, sha256 })) };
  const producer = createProducer(createKafka(resolveConnections(loadSettings(FeedEnv, session.env)).source, silent));
  await producer.connect();
  try {
    const { reports } = await journaling(session, 'backfill', asked, async () => {
      const done: FileReport[] = [];
      for (const [index, plan] of plans.entries()) {
        const known = planned[index];
        if (plan.isDone && known !== undefined) {
          done.push(known);
          continue;
        }
        const progress = new Progress(session, plan.file.name);
        const sent = await sendFile(database, producer, plan.file, plan.fromLine, {
          topic,
          by: session.actor(),
          now: () => new Date(session.clock.now()),
          onProgress: (bytesRead, of) => progress.step(bytesRead, of),
        }).finally(() => progress.end());
        done.push(reportOf(plan, { ...sent, state: 'sent' }));
      }
      return { reports: done };
    });
    return reports;
  } finally {
    await producer.disconnect();
  }
}

/** `backfill`: sends the messages in files to a topic of the feed, where the aggregators read them like all others. */
export function backfillCommand(run: Runner): Command {
  const command = new Command('backfill')
    .description(
      'send messages of the feed, one per line, to its topic; a second run goes on where the first one stopped',
    )
    .argument('<files...>', 'NDJSON, packed with gzip or not')
    .addOption(new Option('--as <input>', 'which topic of the feed').choices(inputs).default('trades'))
    .option('--again', 'send files that were sent to the end once more');
  return withCommonOptions(command, { changes: true }).action((files: string[], flags: BackfillFlags) =>
    run(flags, (session) => backfill(session, files, flags)),
  );
}
