import { createKafka, ensureTopics, planTopics, resolveConnections, type TopicPlan } from '@jetton-analytics/kafka';
import { expectedTopics } from '@jetton-analytics/rollups';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command } from 'commander';
import { AdminError } from '../admin-error.js';
import { feedTopicsOf, TopicsEnv } from '../env.js';
import { exitCodes } from '../exit-codes.js';
import { journaling } from '../journal/journaling.js';
import { type CommonFlags, type Report, type Runner, type Session, withCommonOptions } from '../session.js';
import { withAdmin } from '../kafka-admin.js';
import { silent } from '../silent.js';
import { fields, table } from '../table.js';

/** What an operator wants to see of every topic, besides its partitions. */
const shownConfigs = ['retention.ms', 'message.timestamp.type', 'max.message.bytes'] as const;

type Expected = ReturnType<typeof expectedTopics>[number];

interface Plans {
  readonly specs: readonly Expected[];
  readonly own: readonly TopicPlan[];
  /** Topics of the feed, which are somebody else's: shown, never changed. */
  readonly feed: readonly TopicPlan[];
}

async function plansOf(session: Session): Promise<Plans> {
  const settings = loadSettings(TopicsEnv, session.env);
  const connections = resolveConnections(settings);
  const feedNames = feedTopicsOf(settings);
  const specs = expectedTopics(settings, feedNames);
  const others = feedNames.filter((name) => specs.every((spec) => spec.name !== name));
  const [own, feed] = await Promise.all([
    withAdmin(createKafka(connections.own, silent), (admin) => planTopics(admin, specs)),
    withAdmin(createKafka(connections.source, silent), (admin) =>
      planTopics(
        admin,
        others.map((name) => ({ name, partitions: 1, configs: {} })),
      ),
    ),
  ]);
  return { specs, own, feed };
}

function stateOf({ found, differences, lacksPartitions }: TopicPlan): 'ok' | 'missing' | 'differs' | 'lacksPartitions' {
  if (found === undefined) return 'missing';
  if (lacksPartitions) return 'lacksPartitions';
  return differences.length > 0 ? 'differs' : 'ok';
}

function planJson(plan: TopicPlan, isFeed: boolean, specs: readonly Expected[]) {
  const { name, found, differences } = plan;
  return {
    topic: name,
    of: isFeed ? 'feed' : 'service',
    state: stateOf(plan),
    partitions: {
      expected: specs.find((spec) => spec.name === name)?.partitions ?? null,
      found: found?.partitions ?? null,
    },
    found:
      found === undefined ? null : Object.fromEntries(shownConfigs.map((config) => [config, found.configs[config]])),
    differences,
  };
}

function planLines({ specs, own, feed }: Plans): string[] {
  const rows = [...own.map((one) => [one, false] as const), ...feed.map((one) => [one, true] as const)].map(
    ([plan, isFeed]) => [
      plan.name,
      isFeed ? 'the feed' : 'the service',
      plan.found === undefined ? '-' : String(plan.found.partitions),
      ...shownConfigs.map((config) => plan.found?.configs[config] ?? '-'),
      { ok: 'ok', missing: 'missing', differs: 'differs', lacksPartitions: 'too few partitions' }[stateOf(plan)],
    ],
  );
  const differences = own.flatMap(({ name, found, differences: ofTopic, lacksPartitions }) => [
    ...(lacksPartitions
      ? [[name, 'partitions', String(found?.partitions), String(specs.find((spec) => spec.name === name)?.partitions)]]
      : []),
    ...(found === undefined ? [] : ofTopic.map((one) => [name, one.name, one.found ?? '-', one.expected])),
  ]);
  return [
    ...table(['topic', 'of', 'partitions', 'retention (ms)', 'time', 'largest record', 'state'], rows),
    ...(differences.length === 0 ? [] : ['', ...table(['topic', 'setting', 'is', 'should be'], differences)]),
  ];
}

async function showPlan(session: Session): Promise<Report> {
  const plans = await plansOf(session);
  const json = [
    ...plans.own.map((one) => planJson(one, false, plans.specs)),
    ...plans.feed.map((one) => planJson(one, true, plans.specs)),
  ];
  const isFine = json.every(({ state }) => state === 'ok');
  return { json: { topics: json }, lines: planLines(plans), exitCode: isFine ? exitCodes.ok : exitCodes.finding };
}

const named = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));

async function apply(session: Session): Promise<Report> {
  const by = session.actor();
  const settings = loadSettings(TopicsEnv, session.env);
  const { specs, own } = await plansOf(session);
  const lacking = own.filter(({ lacksPartitions }) => lacksPartitions);
  if (lacking.length > 0) {
    throw new AdminError(
      'refused',
      'topics have fewer partitions than they should have; adding some moves keys, so that is left to you',
      lacking.map(({ name, found }) => `${name}: ${found?.partitions} partitions`),
    );
  }
  const create = own.filter(({ found }) => found === undefined).map(({ name }) => name);
  const set = own.filter((one) => stateOf(one) === 'differs').map(({ name }) => name);
  const due = specs.filter(({ name }) => create.includes(name) || set.includes(name));
  const { dryRun } = session;
  const done =
    dryRun || due.length === 0
      ? { created: create, altered: set }
      : await journaling(session, 'topics apply', { create, set }, () =>
          withAdmin(createKafka(resolveConnections(settings).own, silent), (admin) => ensureTopics(admin, due)),
        );
  return {
    json: { created: done.created, set: done.altered, unchanged: specs.length - due.length, dryRun, by },
    lines: fields([
      [dryRun ? 'would create' : 'created', named(done.created)],
      [dryRun ? 'would set' : 'set', named(done.altered)],
      ['unchanged', String(specs.length - due.length)],
      ['by', by],
    ]),
  };
}

/** `topics plan|apply`: the topics of the service as they are and as they must be. */
export function topicsCommand(run: Runner): Command {
  const topics = new Command('topics').description('the topics in Kafka: what is there and what must be');
  const planning = topics.command('plan').description('compare; exit code 5 where something is not as it must be');
  withCommonOptions(planning, { changes: false }).action((flags: CommonFlags) => run(flags, showPlan));
  const applying = topics
    .command('apply')
    .description('create what is missing and set what differs; the feed is left alone');
  withCommonOptions(applying, { changes: true }).action((flags: CommonFlags) => run(flags, apply));
  return topics;
}
