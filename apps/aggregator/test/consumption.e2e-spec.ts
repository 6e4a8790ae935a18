import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { freePort, startClickHouseLocal } from '@jetton-analytics/embedded';
import { systemClock } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { address, nativeAddress, type TradeFields, tradeMessage } from './feed-messages.js';
import { type Input, type InputOptions, newInput } from './input.js';
import { inputStatus, ledgerTotals, legsOfTransactions } from './ledger.js';
import { type RunningApp, spawnApp, startApp } from './running-app.js';

const now = Math.floor(systemClock.now() / 1_000);
const jetton = address('jetton');
const trade = (tx: string, eventTime = now - 60): TradeFields => ({
  tx,
  eventTime,
  sold: nativeAddress,
  bought: jetton,
});
const trades = (name: string, count: number) => Array.from({ length: count }, (_, index) => trade(`${name} ${index}`));
const hashOf = (tx: string) => createHash('sha256').update(tx).digest('hex');

async function withInput(options: InputOptions, test: (input: Input) => Promise<void>): Promise<void> {
  const input = await newInput(options);
  try {
    await test(input);
  } finally {
    await input.close();
  }
}

async function withApp(input: Input, test: (app: RunningApp) => Promise<void>): Promise<void> {
  const app = await startApp(input.env);
  try {
    await test(app);
  } finally {
    await app.close();
  }
}

const untilCommitted = (input: Input, offset: number, partition = 0) =>
  pollUntil(async () => (await input.committed(partition)) >= offset, {
    what: `the commit of offset ${offset}`,
    timeoutMs: 60_000,
  });

const assignedTo = (app: RunningApp) =>
  app.log.findLast(({ msg }) => msg === 'partitions assigned')?.['partitions'] as number[] | undefined;

describe('offsets that are gone', () => {
  it('are a gap that the status names and a counter counts; consumption goes on from the earliest there is', async () => {
    await withInput({}, async (input) => {
      await input.produce(trades('gap', 100));
      const { admin, tradesTopic: topic, groupId, store } = input;
      await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: '20' }] });
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '60' }] });
      await withApp(input, async (app) => {
        await untilCommitted(input, 100);
        expect(await store.query(ledgerTotals, {})).toEqual([
          { legs: 40, jetton_transactions: 40, pool_transactions: 40 },
        ]);
        const { status } = await pollUntil(
          async () => {
            const known = await inputStatus(store, topic);
            return known?.status.state === 'live' && known;
          },
          { what: 'a status after the backlog', timeoutMs: 30_000 },
        );
        expect(status.gaps).toEqual([{ partition: 0, from: '20', to: '60' }]);
        expect(await app.metric('feed_gap_records_total')).toBe(40);
      });
    });
  }, 480_000);
});

describe('a feed that has changed its shape', () => {
  it('stops the process when a fifth of the topic’s last 1,000 messages is bad, over all partitions', async () => {
    await withInput({ partitions: 4 }, async (input) => {
      const letters = input.follow(input.deadLetterTopic);
      // 300 messages of each partition, 61 of them bad: no partition has 1,000.
      for (let partition = 0; partition < 4; partition += 1) {
        const values = trades(`shape ${partition}`, 300).map((fields, index) => ({
          value: JSON.stringify(
            index % 5 === 0 || index === 1 ? { ...tradeMessage(fields), tx_hash: 7 } : tradeMessage(fields),
          ),
          timestampMs: now * 1_000,
          partition,
        }));
        await input.producer.send(input.tradesTopic, values);
      }
      const app = await spawnApp(input.env);
      expect(await app.untilEnd()).toEqual({ code: 1, signal: null });
      const last = app.log.findLast(({ level }) => level === 'fatal');
      expect(last?.['msg']).toMatch(
        new RegExp(
          `^${input.tradesTopic}, partition \\d, offset \\d+: 20 % of the last 1,000 messages are bad; .* stops`,
        ),
      );
      // What was in hand is neither dropped nor moved to the dead letters.
      const positions = await Promise.all([0, 1, 2, 3].map((partition) => input.committed(partition)));
      expect(positions.filter((position) => position === -1).length).toBeGreaterThan(0);
      expect(letters.length).toBeLessThan(200);
    });
  }, 480_000);
});

describe('dead letters that cannot be written', () => {
  it('stop the process before the offset moves: nothing is dropped', async () => {
    await withInput({ withoutDeadLetters: true }, async (input) => {
      await input.producer.send(input.tradesTopic, [
        { value: JSON.stringify(tradeMessage(trade('good'))), timestampMs: now * 1_000 },
        { value: 'bad', timestampMs: now * 1_000 },
      ]);
      const app = await spawnApp(input.env);
      expect(await app.untilEnd()).toEqual({ code: 1, signal: null });
      const last = app.log.findLast(({ level }) => level === 'fatal');
      expect(last?.['msg']).toBe(`the dead letters of ${input.tradesTopic} cannot be written; nothing is dropped`);
      expect(await input.committed()).toBe(-1);
      expect((await legsOfTransactions(input.store, [hashOf('good')])).size).toBe(0);
    });
  }, 480_000);
});

describe('a trade older than the ledger keeps', () => {
  it('is a dead letter also in a partition whose owner does not lead', async () => {
    await withInput({ partitions: 2, env: { LEDGER_RETENTION_DAYS: '62' } }, async (input) => {
      const letters = input.follow(input.deadLetterTopic);
      await withApp(input, async (one) => {
        await withApp(input, async (other) => {
          const areShared = () => [one, other].every((app) => assignedTo(app)?.length === 1);
          await pollUntil(areShared, { what: 'a partition for each', timeoutMs: 60_000 });
          const isLive = async () => (await inputStatus(input.store, input.tradesTopic))?.status.state === 'live';
          await pollUntil(isLive, { what: 'T', timeoutMs: 60_000 });
          await input.produce([trade('late 0', now - 61 * 86_400), trade('kept 0')], 0);
          await input.produce([trade('late 1', now - 61 * 86_400), trade('kept 1')], 1);
          await Promise.all([untilCommitted(input, 2, 0), untilCommitted(input, 2, 1)]);
        });
      });
      await pollUntil(() => letters.length === 2, { what: 'both letters' });
      const told = (name: string) => letters.map(({ headers }) => headers[name]?.toString());
      expect(new Set(told('dlq-partition'))).toEqual(new Set(['0', '1']));
      expect(told('dlq-reason')).toEqual(['too_late', 'too_late']);
      expect((await input.store.query(ledgerTotals, {}))[0]?.legs).toBe(2);
    });
  }, 480_000);
});

describe('a store that is away', () => {
  it('stops no process and skips nothing: the offset stays until everything is stored', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aggregator-store-'));
    const startStore = async (port: number) =>
      startClickHouseLocal({
        repositoryRoot: fileURLToPath(new URL('../../..', import.meta.url)),
        dataDir: join(folder, 'data'),
        port,
        env: {},
        output: { onLine: () => undefined },
      });
    let own = await startStore(await freePort());
    try {
      await withInput({ clickhouseUrl: own.url }, async (input) => {
        const letters = input.follow(input.deadLetterTopic);
        await withApp(input, async (app) => {
          await input.produce(trades('before', 50));
          await untilCommitted(input, 50);
          await own.stop();
          await input.produce(trades('meanwhile', 49));
          await input.producer.send(input.tradesTopic, [{ value: 'bad', timestampMs: now * 1_000, partition: 0 }]);
          const isRetried = async () => (await app.metric('ingest_retries_total')) > 2;
          await pollUntil(isRetried, { what: 'retries', timeoutMs: 30_000 });
          expect(await input.committed()).toBe(50);
          own = await startStore(Number(new URL(own.url).port));
          await untilCommitted(input, 100);
          expect(await input.store.query(ledgerTotals, {})).toEqual([
            { legs: 99, jetton_transactions: 99, pool_transactions: 99 },
          ]);
          await pollUntil(() => letters.length > 0, { what: 'the dead letter' });
        });
      });
    } finally {
      await own.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 600_000);
});

describe('settings that are wrong', () => {
  it('stop the process at its start with the setting’s name and what is expected', async () => {
    await withInput({ env: { CLOCK: 'sundial' } }, async (input) => {
      const app = await spawnApp(input.env);
      expect(await app.untilEnd()).toEqual({ code: 78, signal: null });
      expect(app.log.map(({ msg }) => String(msg)).join('\n')).toMatch(
        /CLOCK: expected wall, event, or fixed:<instant .*>, got "sundial"/,
      );
    });
  }, 300_000);
});

describe('with CLOCK=event', () => {
  it('T is the greatest event time + 1 s also after a restart right behind the commit of its trade', async () => {
    await withInput({ env: { CLOCK: 'event' } }, async (input) => {
      const asOf = async () => (await inputStatus(input.store, input.tradesTopic))?.asOf ?? 0;
      const untilT = async (after: number) => {
        await pollUntil(async () => (await asOf()) > after, { what: 'a later T', timeoutMs: 30_000 });
        return asOf();
      };
      await withApp(input, async () => {
        await input.produce([trade('first', now - 100)]);
        expect(await untilT(0)).toBe(now - 99);
        await input.produce([trade('last', now - 10), trade('earlier', now - 50)]);
        await untilCommitted(input, 3);
      });
      await withApp(input, async () => {
        expect(await untilT(now - 99)).toBe(now - 9);
      });
    });
  }, 480_000);
});
