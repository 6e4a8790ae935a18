import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersHttp, LaunchError, preferPort, requireFreePort, spawnNodeApp } from '@jetton-analytics/embedded';
import type { PrepareContext } from './prepare.js';

/** The apps, and the port each takes when it is free. */
export const preferredPorts = { gateway: 3000, statistics: 3001, metrics: 3002, aggregator: 3003 } as const;
type AppName = keyof typeof preferredPorts;

const readyTimeoutMs = 120_000;
const readyPollMs = 200;

/**
 * A backlog goes through the young generation as fast as it is read: in one of the usual 16 MiB the collector takes a
 * seventh of the aggregator's processor time.
 */
export const busyNodeArgs = ['--max-semi-space-size=32'];
const nodeArgs: Partial<Record<AppName, readonly string[]>> = { aggregator: busyNodeArgs };

export interface AppStart {
  readonly name: AppName;
  readonly rank: number;
  readonly env: NodeJS.ProcessEnv;
  /** Taken is an error; without it `preferred` or, when that is taken, any free one. */
  readonly port?: number | undefined;
  /** Without it the app's own. */
  readonly preferred?: number | undefined;
  /** It loads this file of its build already, but runs only when this resolves. */
  readonly warm?: { readonly file: string; readonly runWhen: Promise<unknown> };
}

export interface StartedApp {
  readonly url: string;
  /** Resolves when it is ready to be asked. Rejects with a LaunchError when it is not in time, with the signal's reason before. */
  readonly ready: Promise<void>;
}

/**
 * Starts one app and waits until it is alive. Its port is chosen at the last moment: another stack may be starting on
 * this machine. Throws a LaunchError.
 */
export async function startApp(
  { root, build, folder, supervisor, output, signal }: PrepareContext,
  { name, rank, env, port, preferred = preferredPorts[name], warm }: AppStart,
): Promise<StartedApp> {
  if (port !== undefined) await requireFreePort(port, name);
  const chosen = port ?? (await preferPort(preferred));
  const url = `http://127.0.0.1:${chosen}`;
  const programs = join(root, 'apps', name, build);
  await supervisor.keep(rank, () =>
    spawnNodeApp({
      name,
      script: join(programs, 'main.js'),
      ...(warm !== undefined && { warm: { module: join(programs, warm.file), runWhen: warm.runWhen } }),
      nodeArgs: nodeArgs[name] ?? [],
      env: { ...env, PORT: String(chosen) },
      output: { onLine: (line) => output.line(name, line) },
      registry: folder.registry,
      readyWhen: () => answersHttp(`${url}/livez`),
      readyTimeoutMs,
    }),
  );
  const ready = untilReady(name, url, signal).then(() => output.step(`${name}: ready on ${url}`));
  ready.catch(() => undefined); // whoever needs it waits for it, perhaps later
  return { url, ready };
}

/** An app that ends meanwhile is seen by the supervisor. */
async function untilReady(name: AppName, url: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + readyTimeoutMs;
  while (!(await answersHttp(`${url}/readyz`))) {
    if (performance.now() >= end) throw new LaunchError(`${name} was not ready after ${readyTimeoutMs / 1_000} s`);
    await sleep(readyPollMs, undefined, { signal });
  }
}
