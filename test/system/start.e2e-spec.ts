import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JettonStatistics } from '@jetton-analytics/common';
import { freePort } from '@jetton-analytics/embedded';
import { pollUntil } from '@jetton-analytics/testing';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'apps', 'stack', 'bundle', 'main.js');

describe('npm start, as it is bundled', () => {
  let folder: string;
  let stack: ChildProcess | undefined;

  beforeEach(() => {
    if (!existsSync(program)) throw new Error('apps/stack is not bundled: run npm run build');
    folder = mkdtempSync(join(tmpdir(), 'jetton-start-'));
    chmodSync(folder, 0o755); // run by root, PostgreSQL has another account, which must be able to pass
  });
  afterEach(() => {
    stack?.kill('SIGKILL'); // its programs end by themselves
    rmSync(folder, { recursive: true, force: true });
  });

  it('ends in the box, answers its first query with figures, and stops by one SIGINT with exit code 0', async () => {
    const args = [program, '--data-dir', join(folder, 'data'), '--port', String(await freePort()), '--trades', '3000'];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    stack = child;
    child.stderr.pipe(process.stderr);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));

    await pollUntil(() => lines.some((line) => line.startsWith('Ctrl-C stops everything')), {
      what: 'the box',
      timeoutMs: 240_000,
    });
    const [query] = lines.flatMap((line) => /^ {2}curl -s '([^']+)'$/.exec(line)?.[1] ?? []);
    const response = await fetch(query ?? '');
    const { transactions } = JettonStatistics.parse(await response.json());
    expect(Number(transactions.day.current)).toBeGreaterThan(0);

    child.kill('SIGINT');
    expect(await exited).toBe(0);
  }, 600_000);
});
