import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { JettonList, ServiceStatus } from '@jetton-analytics/common';
import { freePort, ProcessRegistry, spawnManaged } from '@jetton-analytics/embedded';
import { repositoryRoot } from './bench-stack.js';
import { treeCpuSeconds } from './process-tree.js';

const pollMs = 100;
const deadlineMs = 300_000;
const storeReady = /(Kafka|PostgreSQL|ClickHouse): ready on/;
const inTheBox = 'Ctrl-C stops everything';
/** Figures are of the present when the instant they stand for is no older. */
const currentMs = 30_000;

/** Seconds from the command on, and CPU seconds by process up to the box. */
export interface StackStart {
  readonly storesReady: number;
  /** Statistics of a jetton, over the gateway. */
  readonly firstAnswer: number;
  readonly figuresCurrent: number;
  readonly box: number;
  readonly cpu: ReadonlyMap<string, number>;
}

async function json(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const body: unknown = response.ok ? await response.json() : await response.body?.cancel();
    return response.ok ? body : undefined;
  } catch {
    return undefined; // not listening yet
  }
}

async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + deadlineMs; !(await isTrue()); await pause(pollMs)) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs / 1_000} s in vain for ${what}`);
  }
}

/** The stack's processes by what its registry calls them, and `npm, turbo, stack` for the rest of the tree. */
function namesOf(root: number, dataDir: string): Map<number, string> {
  const [market] = existsSync(dataDir) ? readdirSync(dataDir) : [];
  const registered = market === undefined ? [] : new ProcessRegistry(join(dataDir, market, 'processes.json')).list();
  return new Map([[root, 'npm, turbo, stack'], ...registered.map(({ pid, name }) => [pid, name] as const)]);
}

/** Runs `npm start` on an empty data folder up to its box, measures it, and stops it. */
export async function measureStart(
  dataDir: string,
  args: readonly string[],
  registry: ProcessRegistry,
): Promise<StackStart> {
  const port = await freePort();
  const api = `http://127.0.0.1:${port}`;
  const stores = new Set<string>();
  const at: { storesReady?: number; box?: number } = {};
  const last: string[] = [];
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const npm = await spawnManaged({
    name: 'npm start',
    command: 'npm',
    args: ['start', '--', '--data-dir', dataDir, '--port', String(port), ...args],
    cwd: repositoryRoot,
    // The public plan allows a request per second: too few to see when the first answer comes.
    env: { ...process.env, RATE_LIMITS: 'off' },
    stopSignal: 'SIGINT',
    stopGraceMs: 60_000,
    registry,
    output: {
      onLine: (line) => {
        last.push(line);
        const [, store] = storeReady.exec(line) ?? [];
        if (store !== undefined && stores.add(store).size === 3) at.storesReady ??= seconds();
        if (line.includes(inTheBox)) at.box ??= seconds();
      },
    },
  });
  const ended = npm.exited.then((exit): never => {
    throw new Error([npm.describeEnd(exit), ...last.slice(-20)].join('\n'));
  });
  ended.catch(() => undefined); // awaited below, until it is stopped on purpose
  const firstAnswer = async () => {
    await until('the first answer', async () => {
      const list = JettonList.safeParse(await json(`${api}/v1/jettons?limit=1`));
      const address = list.data?.jettons[0]?.metadata.address;
      return address !== undefined && (await json(`${api}/v1/jettons/${address}/stats`)) !== undefined;
    });
    return seconds();
  };
  const figuresCurrent = async () => {
    await until('figures of the present', async () => {
      const status = ServiceStatus.safeParse(await json(`${api}/v1/status`));
      const hour = status.data?.windows['hour']?.calculatedAt;
      return hour !== undefined && Date.parse(hour) > Date.now() - currentMs;
    });
    return seconds();
  };
  const box = async () => {
    await until('the box', () => at.box !== undefined);
    return treeCpuSeconds(npm.pid, namesOf(npm.pid, dataDir));
  };
  try {
    const measured = Promise.all([firstAnswer(), figuresCurrent(), box()]);
    measured.catch(() => undefined);
    const [answered, current, cpu] = await Promise.race([measured, ended]);
    return {
      storesReady: at.storesReady ?? Number.NaN,
      firstAnswer: answered,
      figuresCurrent: current,
      box: at.box ?? Number.NaN,
      cpu,
    };
  } finally {
    await npm.stop();
  }
}
