import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sortableRevision } from '../src/index.js';
import { keyOf, type Minutes, minuteOf, newMinutes } from './support/minutes.js';

// Runs what is built, as its reader would.
const script = fileURLToPath(new URL('../../../examples/rollup-subscriber.ts', import.meta.url));
const jettons = Array.from({ length: 200 }, (_, n) => `0:${n.toString(16).padStart(8, '0').repeat(8)}`);

let minutes: Minutes;
let folder: string;

beforeAll(async () => {
  minutes = await newMinutes();
  folder = await mkdtemp(join(tmpdir(), 'rollup-example-'));
}, 300_000);
afterAll(async () => {
  await minutes?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The exit code; null when it was killed. */
async function runSubscriber(file: string, killAfterMs?: number): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [script, '--brokers', minutes.brokers.join(','), '--prefix', minutes.prefix, '--file', file, '--once'],
    { stdio: 'ignore', timeout: 25_000 },
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), exited]);
    child.kill('SIGKILL');
  }
  const [code] = await exited;
  return code;
}

describe('the example subscriber', () => {
  it('has exactly the newest records after it was killed at several moments and started again', async () => {
    const file = join(folder, 'minutes.sqlite');
    // Revisions rise and fall: 7 is everybody's greatest but for the last, whose only one is 1.
    for (const revision of ['3', '7', '5']) {
      await minutes.publish(jettons.slice(0, -1).map((jetton) => minuteOf(jetton, revision)));
    }
    for (const killAfterMs of [900, 1_500]) await runSubscriber(file, killAfterMs);
    await minutes.publish(jettons.slice(-1).map((jetton) => minuteOf(jetton, '1')));
    expect(await runSubscriber(file)).toBe(0);
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare('SELECT key, revision FROM rollups').all();
    database.close();
    const expected = jettons.map((jetton, n) => [
      keyOf(jetton),
      sortableRevision(n === jettons.length - 1 ? '1' : '7'),
    ]);
    expect(new Map(rows.map(({ key, revision }) => [key, revision]))).toEqual(new Map(expected as [string, string][]));
  }, 300_000);
});
