import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { requireFreeSpace } from './disk-space.js';
import {
  ensureKafkaJars,
  freePort,
  isAlive,
  kafkaVersion,
  ProcessRegistry,
  startKafka,
  type RunningKafka,
} from './index.js';
import { answersKafka } from './kafka-handshake.js';

const cacheDir = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '.cache');

const topicsOf = async ({ brokers }: RunningKafka, create?: string) => {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  if (create !== undefined) await admin.createTopics({ topics: [{ topic: create }] });
  const topics = await admin.listTopics();
  await admin.disconnect();
  return topics;
};

describe('startKafka', () => {
  let dir: string;
  let running: RunningKafka | undefined;
  const start = async (cache = cacheDir) => {
    const registry = new ProcessRegistry(join(dir, 'processes.json'));
    running = await startKafka({
      dataDir: join(dir, 'kafka'),
      cacheDir: cache,
      port: await freePort(),
      heapMb: 256,
      registry,
    });
    return running;
  };

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'jetton-kafka-'));
  });
  afterEach(async () => {
    await running?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it('keeps its topics between starts, stops cleanly, and names what keeps it from starting', async () => {
    const first = await start();
    expect(await topicsOf(first, 'kept')).toContain('kept');
    await first.stop();
    expect(isAlive(first)).toBe(false);
    expect(await first.exited).toEqual({ code: 143, signal: null });

    const second = await start();
    expect(second.brokers).not.toEqual(first.brokers);
    expect(await topicsOf(second)).toContain('kept');
    const port = Number(second.brokers[0]?.split(':')[1]);
    const clusterId = readFileSync(join(dir, 'kafka', 'cluster-id'), 'utf8').trim();
    expect(await answersKafka(port, clusterId)).toBe(true);
    expect(await answersKafka(port, 'another cluster')).toBe(false);
    await second.stop();

    writeFileSync(join(dir, 'kafka', 'topics', 'meta.properties'), 'version=1\ncluster.id=other\nnode.id=7\n');
    await expect(start()).rejects.toThrow(/^Kafka cannot start, see .*kafka\.log: .*Stored node id 7 doesn't match/);
    expect(readFileSync(join(dir, 'processes.json'), 'utf8').trim()).toBe('[]');
  }, 600_000);

  it('formats a folder from what the tool wrote into the one before, which makes a cluster of its own that works', async () => {
    const cache = join(dir, 'cache');
    mkdirSync(join(cache, `kafka-${kafkaVersion}`), { recursive: true });
    symlinkSync(await ensureKafkaJars(cacheDir), join(cache, `kafka-${kafkaVersion}`, 'lib'));
    const kept = join(cache, `kafka-${kafkaVersion}`, 'formatted', 'bootstrap.checkpoint');
    const properties = () =>
      readFileSync(join(dir, 'kafka', 'topics', 'meta.properties'), 'utf8')
        .trim()
        .split('\n')
        .sort();
    const names = () => properties().flatMap((line) => (line.startsWith('#') ? [] : [line.split('=')[0]]));

    const byTool = await start(cache);
    expect(existsSync(kept)).toBe(true);
    const [expected, first] = [names(), properties()];
    await byTool.stop();
    rmSync(join(dir, 'kafka'), { recursive: true });

    const fromKept = await start(cache);
    expect(names()).toEqual(expected);
    expect(properties().filter((line) => first.includes(line))).toEqual(['node.id=1', 'version=1']);
    expect(await topicsOf(fromKept, 'made')).toContain('made');
    await fromKept.stop();
    expect(await topicsOf(await start(cache))).toContain('made');
  }, 600_000);

  it('says which port is taken', async () => {
    const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startKafka({ dataDir: join(dir, 'kafka'), cacheDir, port })).rejects.toThrow(
      `Kafka cannot start: port ${port} is taken by another program`,
    );
    expect(await answersKafka(port, 'any', 200)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  }, 300_000);

  it('says that the disk is full', async () => {
    await expect(requireFreeSpace(dir, Number.MAX_SAFE_INTEGER, 'Kafka')).rejects.toThrow(
      /^Kafka cannot start: the disk that holds .* is full \(\d+ MiB free, \d+ MiB needed\)$/,
    );
  });
});
