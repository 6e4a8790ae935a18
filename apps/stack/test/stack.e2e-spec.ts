import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pollUntil } from '@jetton-analytics/testing';
import { freePort, identityOf } from '@jetton-analytics/embedded';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFakeCheckout, type JournalEntry } from './fake-checkout.js';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'main.js');
const running = ({ pid }: JournalEntry) => identityOf(pid) !== undefined;

describe('the stack, over apps that are small scripts', () => {
  let root: string;
  let journal: () => JournalEntry[];
  let environment: NodeJS.ProcessEnv;
  let clickhouse: Server;
  let children: ChildProcess[];

  beforeEach(async () => {
    if (!existsSync(program)) throw new Error('apps/stack is not built: run npm run build');
    root = mkdtempSync(join(tmpdir(), 'jetton-stack-'));
    const checkout = makeFakeCheckout(root);
    ({ journal } = checkout);
    clickhouse = createServer((request, response) => {
      request.resume();
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => clickhouse.once('listening', resolve));
    const { port } = clickhouse.address() as AddressInfo; // it listens on TCP
    environment = {
      PATH: process.env['PATH'],
      STACK_ROOT: root,
      FAKE_JOURNAL: checkout.journalFile,
      KAFKA_BROKERS: '127.0.0.1:1',
      DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/db',
      CLICKHOUSE_URL: `http://127.0.0.1:${port}`,
    };
    children = [];
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await pollUntil(() => !journal().some(running), { what: 'the end of every process', timeoutMs: 30_000 });
    clickhouse.closeAllConnections();
    clickhouse.close();
    rmSync(root, { recursive: true, force: true });
  }, 40_000);

  const start = async (behaviour = '', port?: number) => {
    const args = [program, '--data-dir', join(root, '.data'), '--port', String(port ?? (await freePort()))];
    const child = spawn(process.execPath, args, {
      env: { ...environment, FAKE_BEHAVIOUR: behaviour },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const seen = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        seen.text += text;
      });
    }
    const exited = new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    });
    const ended = { yet: false };
    void exited.then(() => (ended.yet = true));
    const shows = async (text: string) => {
      await pollUntil(() => ended.yet || seen.text.includes(text), { what: text, timeoutMs: 20_000 });
      expect(seen.text).toContain(text);
    };
    return { child, seen, exited, shows };
  };
  const names = (word: string) =>
    journal()
      .filter((entry) => entry.word === word)
      .map(({ name }) => name);

  it('starts the apps in order, ends in the box, and stops them the other way round on SIGTERM', async () => {
    const { child, seen, exited, shows } = await start();
    await shows('Try:');
    const started = names('start');
    expect(started.indexOf('gateway')).toBeGreaterThan(started.indexOf('statistics'));
    expect(started.indexOf('gateway')).toBeGreaterThan(started.indexOf('metrics'));
    expect(started.sort()).toEqual(['aggregator', 'gateway', 'market', 'metrics', 'statistics']);
    expect(seen.text).toContain('SIMULATED');
    expect(seen.text).toMatch(/^aggregator \| hello$/m);
    expect(seen.text).not.toContain('secret');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(names('stop').slice(0, 2)).toEqual(['market', 'gateway']);
    expect(names('stop').at(-1)).toBe('aggregator');
    expect(names('stop')).toHaveLength(5);
    expect(journal().filter(running)).toEqual([]);
  }, 300_000);

  it('loads the aggregator early, and runs it when the feed has begun: before that T would be now', async () => {
    const { child, exited, shows } = await start();
    await shows('Try:');
    const steps = journal().map(({ word, name }) => `${word} ${name}`);
    expect(steps.indexOf('load aggregator')).toBeGreaterThanOrEqual(0);
    expect(steps.indexOf('start aggregator')).toBeGreaterThan(steps.indexOf('load aggregator'));
    expect(steps.indexOf('start aggregator')).toBeGreaterThan(steps.indexOf('start market'));
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  }, 300_000);

  it('takes the two signals npm makes of one Ctrl-C for one', async () => {
    const { child, exited, shows } = await start();
    await shows('Try:');
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await exited).toBe(0);
    expect(names('stop')).toHaveLength(5);
  }, 300_000);

  it('stops when its terminal closes', async () => {
    const { child, exited, shows } = await start();
    await shows('Try:');
    child.stdout.destroy();
    child.stderr.destroy();
    child.kill('SIGHUP');
    expect(await exited).toBe(0);
    expect(names('stop')).toHaveLength(5);
  }, 300_000);

  it('names the app that crashed, stops the rest cleanly and exits with 1', async () => {
    const { seen, exited } = await start('gateway:crash');
    expect(await exited).toBe(1);
    expect(seen.text).toContain('gateway exited with code 7');
    expect(names('stop')).not.toContain('gateway');
    expect(names('stop')).toEqual(expect.arrayContaining(['statistics', 'metrics', 'market']));
    expect(journal().filter(running)).toEqual([]);
  }, 300_000);

  it('shows what an app says of wrong settings when it does not start', async () => {
    const { seen, exited } = await start('metrics:wrong-settings');
    expect(await exited).toBe(1);
    expect(seen.text).toContain('metrics exited with code 78 before it was ready');
    expect(seen.text).toContain('STEP_SHORT_SECONDS: must be a whole number');
    expect(journal().filter(running)).toEqual([]);
  }, 300_000);

  it('can be stopped while it is still starting', async () => {
    const { child, exited, shows } = await start('gateway:unready');
    await shows('gateway    | hello');
    child.kill('SIGINT');
    expect(await exited).toBe(0);
    expect(journal().filter(running)).toEqual([]);
  }, 300_000);

  it('lets the apps end by themselves when it is killed', async () => {
    const { child, shows } = await start();
    await shows('Try:');
    child.kill('SIGKILL');
    await pollUntil(() => !journal().some(running), { what: 'the end of the apps', timeoutMs: 10_000 });
    expect(names('stop')).toHaveLength(5);
  }, 300_000);

  it('clears, at the next start, what a killed one left', async () => {
    const first = await start();
    await first.shows('Try:');
    const stuck = journal().find(({ name, word }) => name === 'statistics' && word === 'start');
    process.kill(stuck?.pid ?? 0, 'SIGSTOP');
    first.child.kill('SIGKILL');
    await first.exited;
    const second = await start();
    await second.shows('ended what a killed stack had left: statistics');
    expect(stuck === undefined || running(stuck)).toBe(false);
    await second.shows('Try:');
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  }, 300_000);

  it('says that the port of the API is taken before it starts anything', async () => {
    const { port } = clickhouse.address() as AddressInfo; // it listens on TCP
    const { seen, exited } = await start('', port);
    expect(await exited).toBe(1);
    expect(seen.text).toContain(`the API cannot start: port ${port} is taken by another program`);
    expect(journal()).toEqual([]);
  }, 300_000);

  it('tells a second supervisor of the folder who is there, and leaves the first alone', async () => {
    const first = await start();
    await first.shows('Try:');
    const second = await start();
    expect(await second.exited).toBe(1);
    expect(second.seen.text).toContain(`is in use by process ${first.child.pid}`);
    expect(names('stop')).toEqual([]);
    first.child.kill('SIGTERM');
    expect(await first.exited).toBe(0);
  }, 300_000);
});
