import {
  createKafka,
  createProducer,
  deadLetters,
  resolveConnections,
  undecodableBatchAt,
} from '@jetton-analytics/kafka';
import { deadLetterTopicOf } from '@jetton-analytics/common';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command, Option } from 'commander';
import { AdminError } from '../admin-error.js';
import { withAdmin } from '../kafka-admin.js';
import { FeedKafkaEnv, groupIdOf } from '../env.js';
import {
  type CommonFlags,
  type Report,
  type Runner,
  type Session,
  wholeNumber,
  withCommonOptions,
} from '../session.js';
import { silent } from '../silent.js';
import { fields } from '../table.js';
import { viewGroup } from './group-place.js';
import { resetOffsets, type ResetFlags } from './reset-offsets.js';
import { showOffsets } from './show-offsets.js';
import { nextOffsetOf, skipOffset, standsAt } from './skip-offset.js';
import { untilNotLive } from './until-not-live.js';

interface SkipFlags extends CommonFlags {
  readonly group?: string;
  readonly wait: number;
}

const waitSecondsDefault = 30;

function readOffset(text: string): string {
  if (/^\d{1,19}$/.test(text)) return BigInt(text).toString();
  throw new AdminError('usage', `offset: expected a whole number, got ${JSON.stringify(text)}`);
}

async function skip(
  session: Session,
  topic: string,
  partition: number,
  offset: string,
  flags: SkipFlags,
): Promise<Report> {
  const settings = loadSettings(FeedKafkaEnv, session.env);
  const groupId = flags.group ?? groupIdOf(settings, topic);
  const connections = resolveConnections(settings);
  const source = createKafka(connections.source, silent);
  const by = session.actor();
  const { dryRun } = session;
  const at = new Date(session.clock.now()).toISOString();
  return withAdmin(source, async (admin) => {
    const before = await viewGroup(admin, groupId, topic, partition);
    if (BigInt(offset) < BigInt(before.low) || BigInt(offset) >= BigInt(before.high)) {
      throw new AdminError(
        'refused',
        `offset ${offset} is not in the log, which holds ${before.low} to ${before.high}`,
      );
    }
    const batch = await undecodableBatchAt(source, { topic, partition, offset });
    if (batch === undefined || BigInt(batch.offset) > BigInt(offset)) {
      throw new AdminError('refused', `the batch that holds offset ${offset} can be read: there is nothing to skip`);
    }
    const isNeeded = standsAt(batch, before);
    const deadLetterTopic = deadLetterTopicOf(topic);
    const skipped = isNeeded && !dryRun;
    if (isNeeded) await untilNotLive(admin, groupId, dryRun ? 0 : flags.wait);
    if (skipped) {
      const producer = createProducer(createKafka(connections.own, silent));
      await producer.connect();
      try {
        await skipOffset(source, deadLetters(producer, deadLetterTopicOf), { groupId, batch, by, at });
      } finally {
        await producer.disconnect();
      }
    }
    const nextOffset = nextOffsetOf(batch);
    const { committed } = skipped ? await viewGroup(admin, groupId, topic, partition) : before;
    const { lastOffset } = batch.extent;
    const what = isNeeded ? (dryRun ? 'would be skipped' : 'skipped') : 'the group is behind it already: nothing to do';
    return {
      json: {
        topic,
        partition,
        groupId,
        batch: { firstOffset: batch.offset, lastOffset, reason: batch.reason },
        committed: { before: before.committed ?? null, after: committed ?? null },
        nextOffset,
        deadLetterTopic,
        skipped,
        dryRun,
        by,
        at,
      },
      lines: fields([
        ['batch', `offsets ${batch.offset} to ${lastOffset} of ${topic}, partition ${partition}: ${what}`],
        ['why', batch.reason],
        ['group', `${groupId}: ${before.committed ?? 'nothing committed'} → ${isNeeded ? nextOffset : 'unchanged'}`],
        ['dead letter', isNeeded ? `${dryRun ? 'would be written' : 'written'} to ${deadLetterTopic}` : 'none'],
        ['by', by],
      ]),
    };
  });
}

const waiting = () =>
  new Option('--wait <seconds>', 'how long to wait for the group to be without members')
    .default(waitSecondsDefault)
    .argParser(wholeNumber('--wait', 0, 3_600));

/** `offsets show|reset|skip`: where the consumers of the feed stand, and how they are moved. */
export function offsetsCommand(run: Runner): Command {
  const offsets = new Command('offsets').description('where the consumers of the feed stand');
  const showing = offsets.command('show').description('what each group has committed, partition by partition');
  withCommonOptions(showing, { changes: false }).action((flags: CommonFlags) => run(flags, showOffsets));
  const resetting = offsets
    .command('reset')
    .description('move the groups of the feed; refused while they are live')
    .requiredOption('--to <where>', 'earliest, or the first record from an instant on (2026-01-31T12:00:00Z)')
    .option('--topic <topic>', 'only this topic (default: the four of the feed)')
    .option('--group <id>', 'the consumer group (default: that of the settings for the topic)')
    .addOption(waiting());
  withCommonOptions(resetting, { changes: true }).action((flags: ResetFlags) =>
    run(flags, (session) => resetOffsets(session, flags)),
  );
  const skipping = offsets
    .command('skip')
    .description(
      'step over a batch that cannot be decoded: it is recorded among the dead letters, the group moves behind it',
    )
    .argument('<topic>', 'as the error of the aggregator names it')
    .argument('<partition>', '', wholeNumber('partition', 0, 1_000_000))
    .argument('<offset>', '', readOffset)
    .option('--group <id>', 'the consumer group (default: that of the settings for the topic)')
    .addOption(waiting());
  withCommonOptions(skipping, { changes: true }).action(
    (topic: string, partition: number, offset: string, flags: SkipFlags) =>
      run(flags, (session) => skip(session, topic, partition, offset, flags)),
  );
  return offsets;
}
