import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LaunchError } from './launch-error.js';
import { spawnManaged, type ManagedProcess, type ManagedProcessOptions } from './managed-process.js';
import { identityOf, isAlive } from './process-identity.js';
import { ProcessRegistry } from './process-registry.js';

const idle = 'setInterval(() => {}, 1000);';

describe('spawnManaged', () => {
  let dir: string;
  let registry: ProcessRegistry;
  let lines: string[];
  let started: ManagedProcess[];

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'jetton-managed-'));
    registry = new ProcessRegistry(join(dir, 'processes.json'));
    lines = [];
    started = [];
  });
  afterEach(async () => {
    await Promise.all(started.map((child) => child.stop()));
    rmSync(dir, { recursive: true, force: true });
  });

  const run = async (script: string, options: Partial<ManagedProcessOptions> = {}) => {
    const child = await spawnManaged({
      name: 'fake',
      command: process.execPath,
      args: ['-e', script],
      output: { onLine: (line) => lines.push(line) },
      registry,
      ...options,
    });
    started.push(child);
    return child;
  };

  it('hands on every line of both streams before it reports the exit', async () => {
    const child = await run('for (let i = 0; i < 1000; i++) console.log(i); console.error("end")');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(lines.filter((line) => line !== 'end')).toEqual(Array.from({ length: 1000 }, (_, i) => String(i)));
    expect(lines).toContain('end');
  });

  it('keeps the registry to the processes that run', async () => {
    const child = await run(idle);
    expect(registry.list()).toMatchObject([{ name: 'fake', pid: child.pid, startTime: child.startTime }]);
    await child.stop();
    expect(registry.list()).toEqual([]);
  });

  it('waits until the child is ready', async () => {
    const flag = join(dir, 'ready');
    await run(`setTimeout(() => fs.writeFileSync(${JSON.stringify(flag)}, ''), 300); ${idle}`, {
      readyWhen: async () => existsSync(flag),
    });
    expect(existsSync(flag)).toBe(true);
  });

  it('names a child that ends before it is ready, with its last lines', async () => {
    const failing = run('console.error("the reason"); process.exit(3)', { readyWhen: async () => false });
    await expect(failing).rejects.toThrow(
      new LaunchError('fake exited with code 3 before it was ready; the last it said:\n  the reason'),
    );
  });

  it('ends a child that does not become ready', async () => {
    const failing = run(`console.log("pid " + process.pid); ${idle}`, {
      readyWhen: async () => false,
      readyTimeoutMs: 500,
    });
    await expect(failing).rejects.toThrow(/^fake was not ready after/);
    expect(registry.list()).toEqual([]);
  });

  it('says so when there is no such program', async () => {
    await expect(run('', { command: 'no-such-program' })).rejects.toThrow(
      'fake cannot start: the program no-such-program was not found',
    );
  });

  it('lets a child finish on its stop signal', async () => {
    const child = await run(
      `process.on("SIGTERM", () => { console.log("bye"); process.exit(0) }); console.log("up"); ${idle}`,
      {
        readyWhen: async () => lines.includes('up'),
      },
    );
    await child.stop();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(lines).toContain('bye');
  });

  it('kills a child that ignores its stop signal, with what it started', async () => {
    const script = `process.on("SIGTERM", () => {}); const c = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(idle)}], { stdio: "ignore" }); console.log("up " + c.pid); ${idle}`;
    const child = await run(script, { stopGraceMs: 200, readyWhen: async () => lines.length > 0 });
    const grandchild = identityOf(Number(lines[0]?.split(' ')[1]));
    if (grandchild === undefined) throw new Error('the grandchild does not run');
    await child.stop();
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    // It was sent the signal at the same moment; nobody waits for its end.
    for (const end = performance.now() + 5_000; isAlive(grandchild) && performance.now() < end;) await sleep(20);
    expect(isAlive(grandchild)).toBe(false);
  });

  it('clears what a killed supervisor left, by its registry, and nothing else', async () => {
    const ours = await run(idle);
    const others = await run(idle, { registry: new ProcessRegistry(join(dir, 'others.json')) });
    registry.add({
      pid: process.pid,
      startTime: 'another boot/1',
      name: 'reused pid',
      command: '',
      stopSignal: 'SIGTERM',
    });
    expect(await new ProcessRegistry(join(dir, 'processes.json')).clearLeftovers()).toEqual(['fake']);
    expect([isAlive(ours), isAlive(others)]).toEqual([false, true]);
    expect(existsSync(join(dir, 'processes.json'))).toBe(false);
  });
});
