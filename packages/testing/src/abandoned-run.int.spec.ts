import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityOf, isAlive, type ProcessIdentity } from '@jetton-analytics/embedded';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from './poll-until.js';

const watchdog = join(dirname(fileURLToPath(import.meta.url)), '..', 'jest', 'watchdog.mjs');

describe('a test run that is killed', () => {
  let folder: string;
  let children: ChildProcess[];
  const idle = (): ProcessIdentity => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
    children.push(child);
    const identity = identityOf(child.pid ?? 0);
    if (identity === undefined) throw new Error('the child has not started');
    return identity;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jetton-abandoned-'));
    chmodSync(folder, 0o755);
    children = [];
  });
  afterEach(async () => {
    const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(running.map((child) => once(child, 'exit')));
    rmSync(folder, { recursive: true, force: true });
  });

  it('leaves neither its stores nor its folder behind', async () => {
    const owner = idle();
    const store = idle();
    const stranger = idle();
    mkdirSync(join(folder, 'kafka'));
    writeFileSync(join(folder, 'owner.json'), JSON.stringify(owner));
    const entries = [
      { ...store, name: 'kafka', stopSignal: 'SIGTERM' },
      { pid: stranger.pid, startTime: 'another boot/1', name: 'reused pid', stopSignal: 'SIGTERM' },
    ];
    writeFileSync(join(folder, 'kafka', 'processes.json'), JSON.stringify(entries));
    children.push(spawn(process.execPath, [watchdog, folder], { stdio: 'ignore' }));

    process.kill(owner.pid, 'SIGKILL');
    await pollUntil(() => !existsSync(folder), { what: 'the end of the folder' });
    expect([isAlive(store), isAlive(stranger)]).toEqual([false, true]);
  }, 20_000);
});
