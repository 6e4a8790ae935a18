import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FeedProducer } from '../feed-producer.js';
import type { FeedRecord } from '../feed-record.js';
import type { Output } from '../output.js';
import { replay } from './replay.js';
import { chooseShift } from './shift.js';

const nowMs = Date.UTC(2026, 10, 21);
const trade = (seconds: number, extra = ''): string => `{"event_type":"trade","event_time":${seconds}${extra}}`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileOf(content: string | Buffer, name = 'trades.ndjson'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function run(path: string, shiftSeconds = 0) {
  const sent: FeedRecord[] = [];
  const warnings: string[] = [];
  const producer: FeedProducer = {
    send: async (_topic, records) => void sent.push(...records),
    close: async () => undefined,
  };
  const output: Output = {
    say: () => undefined,
    warn: (text) => void warnings.push(text),
    progress: () => undefined,
    done: () => undefined,
  };
  const rewriting = { shiftSeconds, latestSeconds: nowMs / 1000 };
  const { signal } = new AbortController();
  const counts = await replay({ path, rewriting, topic: 'trades', producer, output, signal });
  return { sent, warnings, counts };
}

describe('replay', () => {
  it('makes the same records of the same file every time, byte for byte, gzip or not', async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => trade(1_641_340_802 + at, `,"n":${at},"_x":1`));
    lines.splice(100, 0, 'broken', '');
    const plain = await run(await fileOf(lines.join('\n')));
    const again = await run(await fileOf(gzipSync(lines.join('\r\n')), 'trades.ndjson.gz'));
    expect(plain.counts).toEqual({ sent: 5001, bad: 1 });
    expect(again.sent).toEqual(plain.sent);
    expect(plain.sent.map(({ sequence }) => sequence)).toEqual([...plain.sent.keys()]);
    expect(plain.sent[0]).toEqual({
      value: Buffer.from(trade(1_641_340_802, ',"n":0')),
      timestampMs: 1_641_340_803_000,
      sequence: 0,
    });
  });

  it('names each bad line by file and number, sends it as it is, and goes on', async () => {
    const path = await fileOf(`${trade(1_641_340_802)}\n\n{"event_time":}\n[]\n${trade(1_641_340_803)}\n`);
    const { sent, warnings, counts } = await run(path);
    expect(warnings).toEqual([`${path}:3: not JSON: sent as it is`, `${path}:4: not a JSON object: sent as it is`]);
    expect(sent.map(({ value }) => String(value))).toEqual([
      trade(1_641_340_802),
      '{"event_time":}',
      '[]',
      trade(1_641_340_803),
    ]);
    expect(counts).toEqual({ sent: 4, bad: 2 });
  });

  it('names no more than a few of very many bad lines, and counts them all', async () => {
    const { warnings, counts } = await run(await fileOf('x\n'.repeat(3000)));
    expect(counts).toEqual({ sent: 3000, bad: 3000 });
    expect(warnings).toHaveLength(21);
  });

  it.each([
    ['is empty', '', 'trades.ndjson'],
    ['holds no lines', '\n\n', 'trades.ndjson'],
    ['is named .gz but is not packed with gzip', 'x\n', 'trades.gz'],
    ['cannot be read beyond line', gzipSync('x\n'.repeat(9)).subarray(0, 20), 'trades.gz'],
  ])('says in one sentence that a file %s', async (why, content, name) => {
    const path = await fileOf(content, name);
    await expect(run(path)).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
    await expect(run(path)).rejects.toThrow(why);
  });

  it('says in one sentence that there is no such file, or that it is a folder', async () => {
    await expect(run(join(folder, 'none'))).rejects.toThrow('there is no such file');
    await expect(run(folder)).rejects.toThrow('is not a file');
  });
});

const shiftOf = (path: string, stateDir?: string, atMs = nowMs) =>
  chooseShift(path, { kind: 'to-now' }, stateDir, atMs);

describe('chooseShift', () => {
  it('puts the newest event of the past one second before now, whatever is broken or of the future', async () => {
    const future = nowMs / 1000 + 1000;
    const path = await fileOf(
      [trade(1_641_340_802), 'x', trade(1_641_340_900), trade(future), trade(1_641_340_850)].join('\n'),
    );
    expect(await shiftOf(path)).toBe(nowMs / 1000 - 1 - 1_641_340_900);
  });

  it('chooses once and keeps to it, also later and for an explicit wish', async () => {
    const path = await fileOf(trade(1_641_340_802));
    const stateDir = join(folder, 'state');
    const shift = await shiftOf(path, stateDir);
    expect(await shiftOf(path, stateDir, nowMs + 86_400_000)).toBe(shift);
    expect(JSON.parse(await readFile(join(stateDir, 'replay.json'), 'utf8'))).toMatchObject({ shiftSeconds: shift });
    await expect(chooseShift(path, { kind: 'seconds', seconds: 5 }, stateDir, nowMs)).rejects.toThrow(/shifted by/);
  });

  it('refuses a folder that belongs to another file, a broken one, and a file without times', async () => {
    const stateDir = join(folder, 'state');
    await shiftOf(await fileOf(trade(1_641_340_802)), stateDir);
    await expect(shiftOf(await fileOf(trade(1_641_340_803)), stateDir)).rejects.toThrow(/another file/);
    await writeFile(join(stateDir, 'replay.json'), '{');
    await expect(shiftOf(await fileOf(trade(1_641_340_802)), stateDir)).rejects.toThrow(/cannot be read/);
    await expect(shiftOf(await fileOf('x'))).rejects.toThrow(/no line has an event_time/);
  });
});
