import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedData } from '@jetton-analytics/testing';
import { openFeedProducer } from '../src/feed-producer.js';
import { replay } from '../src/replay/replay.js';
import { openFeedBench, silentLogger, type FeedBench } from './support/feed-topics.js';

const latestSeconds = Date.UTC(2026, 10, 21) / 1000;

let bench: FeedBench;
let folder = '';
beforeAll(async () => {
  bench = await openFeedBench();
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
}, 480_000);
afterAll(async () => {
  await bench?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

async function runReplay(path: string, topic: string) {
  const { signal } = new AbortController();
  const producer = await openFeedProducer({
    connection: bench.connection,
    topics: [topic],
    logger: silentLogger,
    signal,
  });
  const warnings: string[] = [];
  const output = {
    say: () => undefined,
    warn: (text: string) => void warnings.push(text),
    progress: () => undefined,
    done: () => undefined,
  };
  const rewriting = { shiftSeconds: 0, latestSeconds };
  try {
    const counts = await replay({ path, rewriting, topic, producer, output, signal });
    return { counts, warnings, stored: await bench.read(topic, counts.sent) };
  } finally {
    await producer.close();
  }
}

const at = (partition: number, timestampMs: number, value: string) => ({ partition, timestampMs, key: null, value });

describe('replay, into a real Kafka', () => {
  it('stores each line without its _ fields, one second after its event, bad ones as they are, in turn over all partitions', async () => {
    const path = join(folder, 'mixed.ndjson.gz');
    const number = `1${'0'.repeat(99)}.5E-7`;
    const lines = [
      `{"event_time":1641340802,"volume_ton":${number},"_block":1}`,
      'broken',
      Buffer.from([0xff, 0x7b]),
      '{"event_time":1641340900,"name":"é"}',
    ];
    await writeFile(path, gzipSync(Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))));
    const { counts, warnings, stored } = await runReplay(path, await bench.newTopic());
    expect(counts).toEqual({ sent: 4, bad: 2 });
    expect(warnings).toEqual([`${path}:2: not JSON: sent as it is`, `${path}:3: not UTF-8: sent as it is`]);
    expect(stored).toEqual([
      at(0, 1_641_340_803_000, `{"event_time":1641340802,"volume_ton":${number}}`),
      at(0, 1_641_340_901_000, Buffer.from('{"event_time":1641340900,"name":"é"}').toString('latin1')),
      at(1, 1_641_340_803_000, 'broken'),
      at(2, 1_641_340_803_000, '\u00ff{'),
    ]);
  }, 300_000);

  it('stores the same bytes, times and partitions when the file is replayed again', async () => {
    const path = join(folder, 'again.ndjson');
    const lines = Array.from({ length: 5000 }, (_, n) => `{"event_time":${1_641_340_802 + n},"n":${n}.10,"_x":1}`);
    await writeFile(path, lines.join('\n'));
    const topic = await bench.newTopic();
    const first = await runReplay(path, topic);
    const second = await runReplay(path, topic);
    expect(first.stored).toHaveLength(5000);
    expect(second.stored).toHaveLength(10_000);
    const [a, b] = [0, 5000].map((from) =>
      [0, 1, 2].flatMap((partition) => {
        const of = second.stored.filter((record) => record.partition === partition);
        return from === 0 ? of.slice(0, of.length / 2) : of.slice(of.length / 2);
      }),
    );
    expect(a).toEqual(first.stored);
    expect(b).toEqual(first.stored);
  }, 300_000);

  it('stores every line of a real file', async () => {
    const path = sharedData(
      'trades/dex_trades.ethereum-0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8-2024-01-05.ndjson.gz',
    );
    if (path === undefined) return;
    const { counts, stored } = await runReplay(path, await bench.newTopic());
    expect(counts).toEqual({ sent: 267, bad: 0 });
    expect(stored.every(({ value }) => !value.includes('"_'))).toBe(true);
  }, 300_000);

  it('says which topic is missing, and that the broker refuses a record', async () => {
    const { signal } = new AbortController();
    const options = { connection: bench.connection, logger: silentLogger, signal };
    await expect(openFeedProducer({ ...options, topics: ['no_such_topic'] })).rejects.toThrow(
      'Kafka has no topic no_such_topic: create the topics first',
    );
    const topic = await bench.newTopic();
    const producer = await openFeedProducer({ ...options, topics: [topic] });
    const huge = { value: Buffer.alloc(3_000_000, 'x'), timestampMs: 1_641_340_803_000, sequence: 0 };
    await expect(producer.send(topic, [huge])).rejects.toMatchObject({ name: 'UserError', exitCode: 1 });
    await producer.close();
  }, 300_000);
});
