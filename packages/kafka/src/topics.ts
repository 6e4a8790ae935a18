import kafkajs, { type Admin, type ConfigEntries } from 'kafkajs';
import { pause } from './deadline.js';
import { DeadlineError, TopicMismatchError } from './errors.js';

/** A topic as it must be. Sizes in bytes, times in milliseconds, as text, under Kafka's own names. */
export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  /** By default what the broker prescribes. */
  readonly replicationFactor?: number;
  readonly configs: Readonly<Record<string, string>>;
}

export interface EnsuredTopics {
  readonly created: string[];
  /** Existing topics whose configs were brought in line. */
  readonly altered: string[];
}

/**
 * Creates the topics that are missing and sets the named configs of those that exist (others set on them are kept);
 * idempotent, safe to run by several processes at once. Resolves once every partition has a leader.
 * @throws TopicMismatchError when an existing topic has fewer partitions than asked for: adding some would move keys, so
 * that is left to an operator. DeadlineError after `timeoutMs` without leaders.
 */
export async function ensureTopics(
  admin: Admin,
  specs: readonly TopicSpec[],
  { timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {},
): Promise<EnsuredTopics> {
  const existing = new Set(await admin.listTopics());
  const present = specs.filter(({ name }) => existing.has(name));
  const missing = specs.filter(({ name }) => !existing.has(name));
  const isNew = await Promise.all(missing.map((spec) => create(admin, spec)));
  const created = missing.filter((_, index) => isNew[index]).map(({ name }) => name);
  await refuseFewerPartitions(admin, present);
  const altered = await alignConfigs(admin, present);
  await untilLeaders(admin, specs, timeoutMs);
  return { created, altered };
}

const create = (admin: Admin, { name, partitions, replicationFactor, configs }: TopicSpec): Promise<boolean> =>
  admin.createTopics({
    waitForLeaders: false,
    topics: [
      {
        topic: name,
        numPartitions: partitions,
        replicationFactor: replicationFactor ?? -1,
        configEntries: Object.entries(configs).map(([configName, value]) => ({ name: configName, value })),
      },
    ],
  });

async function refuseFewerPartitions(admin: Admin, specs: readonly TopicSpec[]): Promise<void> {
  if (specs.length === 0) return;
  const { topics } = await admin.fetchTopicMetadata({ topics: specs.map(({ name }) => name) });
  for (const { name, partitions } of specs) {
    const found = topics.find((topic) => topic.name === name)?.partitions.length ?? 0;
    if (found < partitions) {
      throw new TopicMismatchError(
        `topic ${name} has ${found} partitions and needs ${partitions}: add them with kafka-topics --alter, or name another topic`,
      );
    }
  }
}

/** A topic and what of it is not as it must be. */
export interface TopicPlan {
  readonly name: string;
  /** What is there; undefined where there is no such topic. */
  readonly found: { readonly partitions: number; readonly configs: Readonly<Record<string, string>> } | undefined;
  /** Configs that differ, under Kafka's names; all of them where there is no such topic. */
  readonly differences: readonly { readonly name: string; readonly expected: string; readonly found?: string }[];
  /** It has fewer partitions than asked for, which is left to an operator: adding some moves keys. */
  readonly lacksPartitions: boolean;
}

/** Compares topics with what they must be; changes nothing. */
export async function planTopics(admin: Admin, specs: readonly TopicSpec[]): Promise<TopicPlan[]> {
  const existing = new Set(await admin.listTopics());
  const present = specs.filter(({ name }) => existing.has(name));
  const counts = new Map<string, number>();
  if (present.length > 0) {
    const { topics } = await admin.fetchTopicMetadata({ topics: present.map(({ name }) => name) });
    for (const { name, partitions } of topics) counts.set(name, partitions.length);
  }
  return Promise.all(
    specs.map(async ({ name, partitions, configs }) => {
      const found = existing.has(name) ? await configsOf(admin, name) : undefined;
      const values = Object.fromEntries((found ?? []).map((entry) => [entry.configName, entry.configValue]));
      const count = counts.get(name) ?? 0;
      return {
        name,
        found: found && { partitions: count, configs: values },
        differences: Object.entries(configs)
          .filter(([key, expected]) => values[key] !== expected)
          .map(([key, expected]) => ({
            name: key,
            expected,
            ...(values[key] !== undefined && { found: values[key] }),
          })),
        lacksPartitions: found !== undefined && count < partitions,
      };
    }),
  );
}

async function configsOf(admin: Admin, name: string): Promise<ConfigEntries[]> {
  const described = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name }],
  });
  return described.resources[0]?.configEntries ?? [];
}

async function alignConfigs(admin: Admin, specs: readonly TopicSpec[]): Promise<string[]> {
  const altered: string[] = [];
  for (const { name, configs } of specs) {
    const entries = await configsOf(admin, name);
    if (Object.entries(configs).every(([key, value]) => valueOf(entries, key) === value)) continue;
    // The request replaces all of a topic's own configs, so those set by others are sent along.
    const own = entries.filter(({ configSource }) => configSource === kafkajs.ConfigSource.TOPIC_CONFIG);
    const wanted = { ...Object.fromEntries(own.map((entry) => [entry.configName, entry.configValue])), ...configs };
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name,
          configEntries: Object.entries(wanted).map(([key, value]) => ({ name: key, value })),
        },
      ],
    });
    altered.push(name);
  }
  return altered;
}

const valueOf = (entries: readonly ConfigEntries[], name: string): string | undefined =>
  entries.find(({ configName }) => configName === name)?.configValue;

async function untilLeaders(admin: Admin, specs: readonly TopicSpec[], timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const waiting = new Map(specs.map((spec) => [spec.name, spec]));
  while (waiting.size > 0) {
    const { topics } = await admin.fetchTopicMetadata({ topics: [...waiting.keys()] }).catch(notKnownYet);
    for (const { name, partitions } of topics) {
      const led = partitions.filter(({ leader }) => leader >= 0).length;
      if (led >= (waiting.get(name)?.partitions ?? 0)) waiting.delete(name);
    }
    if (waiting.size === 0) return;
    if (performance.now() > deadline)
      throw new DeadlineError(`a leader for ${[...waiting.keys()].join(', ')}`, timeoutMs);
    await pause(100);
  }
}

function notKnownYet(error: unknown): { topics: [] } {
  if (error instanceof kafkajs.KafkaJSProtocolError && error.retriable) return { topics: [] };
  throw error;
}
