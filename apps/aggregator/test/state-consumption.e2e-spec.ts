import { connect, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createDataSource, JettonMetadata } from '@jetton-analytics/postgres';
import { systemClock } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { address, nativeAddress } from './feed-messages.js';
import { type Input, newInput } from './input.js';
import { inputStatus } from './ledger.js';
import { newPostgres } from './postgres.js';
import { spawnApp, startApp } from './running-app.js';
import { metadataMessage, poolMessage } from './state-messages.js';

const nowMs = systemClock.now();
const record = (message: Readonly<Record<string, unknown>>) => ({
  value: JSON.stringify(message),
  timestampMs: nowMs,
  partition: 0,
});
const untilCommitted = (input: Input, topic: string, offset: number) =>
  pollUntil(async () => (await input.committed(0, topic)) >= offset, {
    what: `the commit of offset ${offset} of ${topic}`,
    timeoutMs: 60_000,
  });

/** A way to a server that can be closed and opened again, as when the server is away. */
class Way {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(private readonly target: URL) {}

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.toString();
  }

  async open(): Promise<void> {
    const server = createServer((socket) => {
      const onward = connect(Number(this.target.port), this.target.hostname);
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as { port: number }).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      if (this.#server === undefined) resolve();
      else this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

describe('PostgreSQL away', () => {
  it('holds up the metadata and nothing else: trades go on, no offset moves, and the metadata follow later', async () => {
    const url = await newPostgres();
    const way = new Way(new URL(url));
    await way.open();
    const input = await newInput({ env: { DATABASE_URL: way.url } });
    const database = await createDataSource(url, { application: 'e2e' }).initialize();
    const app = await startApp(input.env);
    try {
      await input.producer.send(input.metadataTopic, [record(metadataMessage({ address: address('first') }))]);
      await untilCommitted(input, input.metadataTopic, 1);
      await way.close();
      await input.producer.send(input.metadataTopic, [record(metadataMessage({ address: address('second') }))]);
      await pollUntil(() => app.log.some(({ msg }) => String(msg).startsWith('a batch failed')), {
        what: 'the first failed attempt',
        timeoutMs: 30_000,
      });
      const trade = { eventTime: Math.floor(nowMs / 1_000) - 60, sold: nativeAddress, bought: address('jetton') };
      for (let one = 1; one <= 3; one += 1) {
        await input.produce([{ ...trade, tx: `trade ${one}` }]);
        await untilCommitted(input, input.tradesTopic, one);
      }
      await input.producer.send(input.poolsTopic, [record(poolMessage())]);
      await untilCommitted(input, input.poolsTopic, 1);
      expect(await input.committed(0, input.metadataTopic)).toBe(1);
      await way.open();
      await untilCommitted(input, input.metadataTopic, 2);
      expect(await database.getRepository(JettonMetadata).count()).toBe(2);
    } finally {
      await app.close();
      await way.close();
      await database.destroy();
      await input.close();
    }
  }, 600_000);
});

describe('offsets of a state topic that are gone', () => {
  it('are a gap that the status names for that topic alone; consumption goes on from the earliest there is', async () => {
    const input = await newInput();
    const { admin, poolsTopic: topic, statesGroupId: groupId, store } = input;
    const states = Array.from({ length: 10 }, (_, index) => record(poolMessage({ last_updated: index })));
    await input.producer.send(topic, states);
    await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: '2' }] });
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '6' }] });
    const app = await startApp(input.env);
    try {
      await untilCommitted(input, topic, 10);
      const gapsOf = async (of: string) => (await inputStatus(store, of))?.status.gaps;
      await pollUntil(async () => (await gapsOf(topic))?.length === 1, { what: 'the gap', timeoutMs: 60_000 });
      expect(await gapsOf(topic)).toEqual([{ partition: 0, from: '2', to: '6' }]);
      expect(await gapsOf(input.tradesTopic)).toEqual([]);
    } finally {
      await app.close();
      await input.close();
    }
  }, 480_000);
});

describe('a state topic that has changed its shape', () => {
  it('stops the process when a fifth of its last 1,000 messages is bad, whatever the other topics hold', async () => {
    const input = await newInput();
    try {
      const values = Array.from({ length: 1_200 }, (_, index) =>
        record(poolMessage(index % 5 === 0 || index === 1 ? { pool: 7 } : { last_updated: index })),
      );
      await input.producer.send(input.poolsTopic, values);
      const app = await spawnApp(input.env);
      expect(await app.untilEnd()).toEqual({ code: 1, signal: null });
      const last = app.log.findLast(({ level }) => level === 'fatal');
      expect(last?.['msg']).toMatch(new RegExp(`^${input.poolsTopic}, partition 0, .* messages are bad; .* stops`));
      expect(await input.committed(0, input.poolsTopic)).toBe(-1);
    } finally {
      await input.close();
    }
  }, 480_000);
});
