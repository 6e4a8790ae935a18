import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tryLock, withLock } from './file-lock.js';
import { identityOf } from './process-identity.js';

describe('file lock', () => {
  let dir: string;
  let file: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'jetton-lock-'));
    file = join(dir, 'lock');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('is held by one at a time, and the second is told who holds it', () => {
    const first = tryLock(file);
    expect(first).toHaveProperty('lock');
    expect(tryLock(file)).toEqual({ holder: identityOf(process.pid) });
    if ('lock' in first) first.lock.release();
    expect(tryLock(file)).toHaveProperty('lock');
  });

  it('is taken over from a process that has died', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const identity = identityOf(child.pid ?? 0);
    writeFileSync(file, JSON.stringify(identity));
    expect(tryLock(file)).toEqual({ holder: identity });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(tryLock(file)).toHaveProperty('lock');
  });

  it("is taken over when its holder's pid belongs to another process by now", () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, startTime: 'another boot/1' }));
    expect(tryLock(file)).toHaveProperty('lock');
  });

  it('is taken over when its content is damaged', () => {
    writeFileSync(file, '{"pid":');
    expect(tryLock(file)).toHaveProperty('lock');
  });

  it('is not released by a former holder once another has it', () => {
    const first = tryLock(file);
    rmSync(file);
    expect(tryLock(file)).toHaveProperty('lock');
    if ('lock' in first) first.lock.release();
    expect(tryLock(file)).toHaveProperty('holder');
  });

  it('lets waiters in one after another and leaves no files behind', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock(file, 5_000, work)));
    expect(most).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
  });
});
