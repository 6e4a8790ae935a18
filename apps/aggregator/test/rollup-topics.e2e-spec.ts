import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineQuery } from '@jetton-analytics/clickhouse';
import {
  isNewerRollup,
  RollupDataset,
  rollupEventHeaders,
  rollupPartitionOf,
  type RollupRecord,
  rollupRecords,
  rollupTopicOf,
  rollupTopics,
} from '@jetton-analytics/common';
import { ensureTopics } from '@jetton-analytics/kafka';
import { pollUntil, uniqueName } from '@jetton-analytics/testing';
import { z } from 'zod';
import { address, nativeAddress, type TradeFields } from './feed-messages.js';
import { type FollowedRecord, type Input, newInput } from './input.js';
import { expectedBuckets } from './rollup-oracle.js';
import { type RunningApp, startApp } from './running-app.js';

// 2026-01-02T10:00:00Z
const start = 1_767_348_000;
/** One second after the newest trade: T of CLOCK=event. */
const asOf = '2026-01-02T12:00:31Z';
const partitions = 3;
const jettons = ['a', 'b', 'c'].map(address);

/** Versions as the tables hold them, by the key in the topic. */
const tableVersions = defineQuery({
  name: 'tableVersions',
  sql: `SELECT concat(jetton, '|minute|', toString(toUnixTimestamp(minute))) AS row_key, toString(version) AS row_version
        FROM jetton_trades_per_minute_v1 FINAL
        UNION ALL SELECT concat(jetton, '|', pool, '|minute|', toString(toUnixTimestamp(minute))), toString(version)
        FROM pool_trades_per_minute_v1 FINAL
        UNION ALL SELECT concat(jetton, '|hour|', toString(toUnixTimestamp(toStartOfHour(minute)))) AS k, toString(sum(version))
        FROM jetton_trades_per_minute_v1 FINAL GROUP BY k
        UNION ALL SELECT concat(jetton, '|day|', toString(toUnixTimestamp(toStartOfDay(minute)))) AS k, toString(sum(version))
        FROM jetton_trades_per_minute_v1 FINAL GROUP BY k`,
  params: z.object({}),
  row: z.object({ row_key: z.string(), row_version: z.string() }),
});

/** The newest published row of each jetton and step. */
const tableStatistics = defineQuery({
  name: 'tableStatistics',
  sql: `SELECT concat(jetton, '|', step) AS row_key, toString(max(version)) AS row_version,
          arrayMap(w -> (w.window, toString(w.transactions_buy_current + w.transactions_sell_current), toString(w.volume_usd_buy_current),
            w.price_usd_current.value), argMax(windows, version)) AS figures
        FROM jetton_statistics_v1 WHERE term = (SELECT max(term) FROM snapshot_markers_v1)
        GROUP BY jetton, step`,
  params: z.object({}),
  row: z.object({
    row_key: z.string(),
    row_version: z.string(),
    figures: z.array(z.tuple([z.string(), z.string(), z.string(), z.string()])),
  }),
});

function trade(n: number, eventTime: number): TradeFields {
  const jetton = jettons[n % 3] ?? '';
  const isBuy = n % 2 === 0;
  return {
    tx: `trade ${n}`,
    eventTime,
    sold: isBuy ? nativeAddress : jetton,
    bought: isBuy ? jetton : nativeAddress,
    amountSold: String(1_000_000_000 + n),
    amountBought: String(2_000_000_000 + n * 7),
    pool: n % 5 === 0 ? null : address(`pool ${n % 2}`),
    trader: n % 7 === 0 ? null : address(`trader ${n % 4}`),
    volumeUsd: n % 6 === 0 ? null : `${n}.000000000000000001`,
  };
}

/** Repeats, corrections, retractions (one before its original), late trades, and an hour that has ended. */
function messagesOf(): TradeFields[] {
  const trades = Array.from({ length: 60 }, (_, n) => trade(n, start + n * 61));
  const late = Array.from({ length: 10 }, (_, n) => trade(100 + n, start - n * 90_000));
  const [first, second, third] = trades as [TradeFields, TradeFields, TradeFields];
  return [
    { ...third, deleted: true, revision: 1 },
    ...trades,
    ...late,
    ...trades.slice(10, 30),
    { ...first, deleted: true },
    { ...second, revision: 1, volumeUsd: '999.5' },
    trade(200, start + 2 * 3_600 + 30),
  ];
}

interface Followed {
  readonly dataset: RollupDataset;
  readonly records: FollowedRecord[];
}

/** What stays of each key once the log is compacted: the last record. */
function lastOf<D extends RollupDataset>({ records }: Followed, dataset: D): Map<string, RollupRecord<D>> {
  return new Map(
    records.map((record) => [
      record.key?.toString() ?? '',
      rollupRecords[dataset].parse(JSON.parse(record.value?.toString() ?? 'null')) as RollupRecord<D>,
    ]),
  );
}

/** The newest published row of each jetton and step, in short. */
async function statisticsOf({ store }: Input) {
  const rows = await store.query(tableStatistics, {});
  return new Map(rows.map(({ row_key: key, row_version: revision, figures }) => [key, { revision, figures }]));
}

/** What the last records say, in the same form. */
function publishedStatistics(followed: Followed) {
  return new Map(
    [...lastOf(followed, 'statistics')].map(([key, { revision, windows }]) => [
      key,
      {
        revision,
        figures: windows.map((one) => [
          one.window,
          String(BigInt(one.transactionsBuy.current) + BigInt(one.transactionsSell.current)),
          one.volumeUsdBuy.current,
          one.priceUsd.current.value,
        ]),
      },
    ]),
  );
}

const ownsOne = ({ log }: RunningApp) =>
  (log.findLast(({ msg }) => msg === 'partitions assigned')?.['partitions'] as number[] | undefined)?.length === 1;

const revisionsOf = (of: ReadonlyMap<string, { revision: string }>) =>
  new Map([...of].map(([key, { revision }]) => [key, revision]));

const picked = (keys: readonly string[]) => (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));

describe('the rollup topics', () => {
  const prefix = `${uniqueName('rollups')}.`;
  const messages = messagesOf();
  let input: Input;
  let apps: RunningApp[] = [];
  let followed: Record<RollupDataset, Followed>;

  beforeAll(async () => {
    input = await newInput({
      partitions: 2,
      env: { ROLLUP_TOPICS: 'on', ROLLUP_TOPIC_PREFIX: prefix, ROLLUP_OPEN_SECONDS: '1', CLOCK: 'event' },
    });
    await ensureTopics(input.admin, rollupTopics({ prefix, partitions }));
    followed = Object.fromEntries(
      RollupDataset.options.map((dataset) => [
        dataset,
        { dataset, records: input.follow(rollupTopicOf(dataset, prefix)) },
      ]),
    ) as Record<RollupDataset, Followed>;
    // Two instances with a partition each, whose trades lie in the same buckets.
    apps = await Promise.all([startApp(input.env), startApp(input.env)]);
    await pollUntil(() => apps.every(ownsOne), { what: 'a partition for each instance', timeoutMs: 30_000 });
    for (let from = 0; from < messages.length; from += 20) {
      await input.produce(messages.slice(from, from + 20), (from / 20) % 2);
    }
  }, 480_000);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await input?.close();
  }, 300_000);

  const endsOf = (
    dataset: 'jettonHour' | 'jettonDay',
    isPicked: (bucket: { isFinal: boolean; windowEnd: string }) => boolean,
  ) => [...lastOf(followed[dataset], dataset).values()].filter(isPicked).map(({ windowEnd }) => windowEnd);
  const finals = (dataset: 'jettonHour' | 'jettonDay') => endsOf(dataset, ({ isFinal }) => isFinal);
  const ended = (dataset: 'jettonHour' | 'jettonDay') => endsOf(dataset, ({ windowEnd }) => windowEnd <= asOf);
  const rows = () => statisticsOf(input);
  const published = () => publishedStatistics(followed.statistics);
  const expected = {
    jettonMinute: expectedBuckets(messages, 'minute', 'jetton'),
    poolMinute: expectedBuckets(messages, 'minute', 'pool'),
    jettonHour: expectedBuckets(messages, 'hour', 'jetton'),
    jettonDay: expectedBuckets(messages, 'day', 'jetton'),
  };
  const buckets = ['jettonMinute', 'poolMinute', 'jettonHour', 'jettonDay'] as const;

  it.each(buckets)('%s: the last record of every key has the figures that the messages add up to', async (dataset) => {
    const figuresOf = () => {
      const [first] = expected[dataset].values();
      const keep = picked(Object.keys(first ?? {}));
      return Object.fromEntries([...lastOf(followed[dataset], dataset)].map(([key, value]) => [key, keep(value)]));
    };
    const wanted = Object.fromEntries(expected[dataset]);
    await pollUntil(() => isEqual(figuresOf(), wanted), { what: dataset, timeoutMs: 20_000 }).catch(() => undefined);
    expect(figuresOf()).toEqual(wanted);
  });

  it('the last record of every bucket has the version that its table has', async () => {
    const versions = new Map((await input.store.query(tableVersions, {})).map((row) => [row.row_key, row.row_version]));
    const revisions = new Map(
      buckets.flatMap((dataset) =>
        [...lastOf(followed[dataset], dataset)].map(([key, value]) => [key, value.revision] as const),
      ),
    );
    expect(revisions.size).toBeGreaterThan(100);
    expect(revisions).toEqual(versions);
  });

  it('hours and days that have ended before T are final, the others are not', async () => {
    await pollUntil(() => isEqual(finals('jettonHour'), ended('jettonHour')), { what: 'final hours' }).catch(
      () => undefined,
    );
    expect(finals('jettonHour')).toEqual(ended('jettonHour'));
    expect(finals('jettonHour').length).toBeGreaterThan(0);
    expect(finals('jettonDay')).toEqual(ended('jettonDay'));
  });

  it('the last statistics of every jetton and step are the row that the newest snapshot published', async () => {
    await pollUntil(
      async () => published().size === 9 && isEqual(Object.fromEntries(published()), Object.fromEntries(await rows())),
      {
        what: 'statistics',
        timeoutMs: 15_000,
      },
    ).catch(() => undefined);
    expect(published()).toEqual(await rows());
    expect(published().size).toBe(9);
  });

  it('every record keeps the contract: partition by jetton, headers', () => {
    for (const { dataset, records } of Object.values(followed)) {
      for (const { key, value, headers, partition } of records) {
        const record = rollupRecords[dataset].parse(JSON.parse(value?.toString() ?? 'null'));
        expect(partition).toBe(rollupPartitionOf(record.jetton, partitions));
        const texts = Object.fromEntries(Object.entries(headers).map(([header, content]) => [header, String(content)]));
        expect(texts).toEqual(rollupEventHeaders(dataset, key?.toString() ?? '', record));
      }
    }
  });

  it.each(buckets)('%s: who reads by the rule for readers has what the last records say', (dataset) => {
    const read = new Map<string, RollupRecord<typeof dataset>>();
    for (const { key, value } of followed[dataset].records) {
      const record = rollupRecords[dataset].parse(JSON.parse(value?.toString() ?? 'null'));
      const name = key?.toString() ?? '';
      if (isNewerRollup(record, read.get(name))) read.set(name, record);
    }
    expect(revisionsOf(read)).toEqual(revisionsOf(lastOf(followed[dataset], dataset)));
  });

  it('a redelivery publishes all of its buckets again', async () => {
    await Promise.all(apps.map((app) => app.close()));
    const before = followed.jettonMinute.records.length;
    await input.admin.resetOffsets({ groupId: input.groupId, topic: input.tradesTopic, earliest: true });
    apps = [await startApp(input.env)];
    const again = () => new Set(followed.jettonMinute.records.slice(before).map(({ key }) => key?.toString()));
    await pollUntil(() => again().size >= expected.jettonMinute.size, { what: 'the redelivery', timeoutMs: 20_000 });
    expect(again()).toEqual(new Set(expected.jettonMinute.keys()));
    const versions = new Map((await input.store.query(tableVersions, {})).map((row) => [row.row_key, row.row_version]));
    for (const [key, { revision }] of lastOf(followed.jettonMinute, 'jettonMinute'))
      expect(revision).toBe(versions.get(key));
  }, 300_000);
});

const isEqual = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
