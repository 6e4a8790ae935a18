import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RollupDataset, rollupTopicOf, rollupTopics } from '@jetton-analytics/common';
import { ensureTopics } from '@jetton-analytics/kafka';
import { rebuild } from '@jetton-analytics/rollups';
import { pollUntil, uniqueName } from '@jetton-analytics/testing';
import { address, nativeAddress } from './feed-messages.js';
import { type FollowedRecord, type Input, newInput } from './input.js';
import { type RunningApp, startApp } from './running-app.js';
import { prices } from './store.js';

// 2026-01-02T10:00:00Z
const start = 1_767_348_000;
const prefix = `${uniqueName('audited')}.`;
const jetton = address('audited');

let input: Input;
let app: RunningApp;
let followed: Record<RollupDataset, readonly FollowedRecord[]>;
beforeAll(async () => {
  input = await newInput({
    env: {
      ROLLUP_TOPICS: 'on',
      ROLLUP_TOPIC_PREFIX: prefix,
      ROLLUP_OPEN_SECONDS: '1',
      CLOCK: 'event',
      AUDIT_BUCKETS_PER_MINUTE: '600',
    },
  });
  await ensureTopics(input.admin, rollupTopics({ prefix, partitions: 2 }));
  followed = Object.fromEntries(
    RollupDataset.options.map((dataset) => [dataset, input.follow(rollupTopicOf(dataset, prefix))]),
  ) as unknown as typeof followed;
  app = await startApp(input.env);
  await input.produce(
    Array.from({ length: 30 }, (_, n) => ({
      tx: `trade ${n}`,
      eventTime: start + n * 300,
      sold: nativeAddress,
      bought: jetton,
      pool: n % 2 === 0 ? null : address('pool'),
    })),
  );
  await pollUntil(() => RollupDataset.options.every((dataset) => revisions(dataset).size > 0), {
    what: 'records in every topic',
    timeoutMs: 40_000,
  });
}, 480_000);
afterAll(async () => {
  await app?.close();
  await input?.close();
}, 300_000);

const revisionOf = ({ value }: FollowedRecord): bigint =>
  BigInt((JSON.parse(value?.toString() ?? '{}') as { revision?: string }).revision ?? '0');

/** The revision of the last record of each key: what stays when the log is cleaned. */
const revisions = (dataset: RollupDataset) =>
  new Map(followed[dataset].map((record) => [record.key?.toString() ?? '', revisionOf(record)]));

const republished = (dataset: RollupDataset) => app.metric('rollup_audit_republished_total', { dataset });

/** Makes an outdated record the last of a key, as a writer does that is killed between its record and the check. */
async function leaveBehind(dataset: RollupDataset): Promise<void> {
  const last = followed[dataset].at(-1);
  if (last === undefined) throw new Error(`no record of ${dataset}`);
  const outdated = last.value?.toString().replace(/"revision":"\d+"/, '"revision":"1"') ?? '';
  const { key, partition } = last;
  const had = followed[dataset].filter((record) => revisionOf(record) === 1n).length;
  await input.producer.send(rollupTopicOf(dataset, prefix), [{ key: key ?? null, value: outdated, partition }]);
  await pollUntil(() => followed[dataset].filter((record) => revisionOf(record) === 1n).length > had, {
    what: 'the old record',
  });
}

/** What the ordinary publication overtakes proves nothing: a record is left behind until the audit has put it right. */
async function repairedByTheAudit(dataset: RollupDataset): Promise<void> {
  const had = await republished(dataset);
  await pollUntil(
    async () => {
      if ((await republished(dataset)) > had) return true;
      if ([...revisions(dataset).values()].every((one) => one > 1n)) await leaveBehind(dataset);
      return false;
    },
    { what: `a repair of ${dataset} by the audit`, timeoutMs: 80_000, intervalMs: 1_000 },
  );
}

describe('the audit of the rollup topics', () => {
  it('publishes again what a writer left behind that was killed between an outdated record and its check', async () => {
    // What was published has come to rest.
    let before = new Map<RollupDataset, Map<string, bigint>>();
    await pollUntil(
      () => {
        const now = new Map(RollupDataset.options.map((dataset) => [dataset, revisions(dataset)]));
        const isSame = text(now) === text(before);
        before = now;
        return isSame && RollupDataset.options.every((dataset) => revisions(dataset).size > 0);
      },
      { what: 'quiet topics', timeoutMs: 30_000, intervalMs: 3_000 },
    );
    await Promise.all(RollupDataset.options.map((dataset) => repairedByTheAudit(dataset)));
    await pollUntil(
      () => RollupDataset.options.every((dataset) => [...revisions(dataset).values()].every((one) => one > 1n)),
      { what: 'the repair of every topic', timeoutMs: 60_000 },
    );
    for (const dataset of RollupDataset.options) {
      for (const [key, revision] of before.get(dataset) ?? []) {
        expect(revisions(dataset).get(key)).toBeGreaterThanOrEqual(revision);
      }
    }
  }, 480_000);

  it('publishes what a rebuild has given a greater version', async () => {
    const { epoch } = await rebuild(
      input.store,
      { from: start, to: start + 86_400 },
      { ...prices, by: 'spec', reason: 'spec', nowS: start },
    );
    for (const dataset of ['jettonMinute', 'poolMinute', 'jettonHour', 'jettonDay'] as const) {
      await pollUntil(() => [...revisions(dataset).values()].every((revision) => revision >> 192n >= epoch), {
        what: `the rebuilt buckets of ${dataset}`,
        timeoutMs: 60_000,
      });
    }
    expect(epoch).toBe(1n);
  }, 480_000);

  it('counts the buckets it has compared, and no mismatch', async () => {
    await pollUntil(async () => (await app.metric('audit_buckets_total', { grain: 'minute' })) > 20, {
      what: 'audited buckets',
      timeoutMs: 40_000,
    });
    for (const grain of ['minute', 'hour', 'day']) {
      expect(await app.metric('audit_mismatches_total', { grain })).toBe(0);
    }
    expect(await app.metric('audit_failures_total')).toBe(0);
  }, 300_000);
});

const text = (of: ReadonlyMap<string, ReadonlyMap<string, bigint>>) =>
  JSON.stringify([...of].map(([name, keys]) => [name, [...keys].map(([key, revision]) => [key, String(revision)])]));
