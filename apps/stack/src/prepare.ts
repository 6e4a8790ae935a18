import { join } from 'node:path';
import { describeExit, LaunchError, spawnNodeApp, type DataFolder } from '@jetton-analytics/embedded';
import type { Output } from './output.js';
import type { Supervisor } from './supervisor.js';

/** The programs to run. */
export interface Checkout {
  readonly root: string;
  /** The folder of each app that its programs lie in: bundled, or file by file. */
  readonly build: 'bundle' | 'dist';
}

export interface PrepareContext extends Checkout {
  readonly folder: DataFolder;
  readonly supervisor: Supervisor;
  readonly output: Output;
  /** Aborted when everything is to stop. */
  readonly signal: AbortSignal;
}

const stepTimeoutMs = 120_000;
const linesMax = 50;

/** Runs a program to its end and shows what it says as steps. Throws a LaunchError with its output when it fails. */
async function runOnce(
  { root, build, folder, supervisor, output }: PrepareContext,
  name: string,
  program: { readonly app: string; readonly file: string },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const lines: string[] = [];
  await supervisor.during(async () => {
    const child = await spawnNodeApp({
      name,
      script: join(root, 'apps', program.app, build, program.file),
      env,
      output: { onLine: (line) => void (lines.length < linesMax && lines.push(line)) },
      registry: folder.registry,
    });
    const timer = setTimeout(() => void child.stop(), stepTimeoutMs);
    const exit = await child.exited;
    clearTimeout(timer);
    if (exit.code !== 0) {
      throw new LaunchError([`the step "${name}" failed (it ${describeExit(exit)}):`, ...lines].join('\n  '));
    }
  });
  for (const line of lines) output.step(line);
}

/** Makes the topics that are missing: ours, and those of the feed when it lies on our own Kafka. Idempotent. */
export function prepareTopics(
  context: PrepareContext,
  env: NodeJS.ProcessEnv,
  { createFeedTopics }: { createFeedTopics: boolean },
): Promise<void> {
  const own = { CREATE_FEED_TOPICS: createFeedTopics ? '1' : '0' };
  return runOnce(context, 'topics', { app: 'aggregator', file: 'topics.js' }, { ...env, ...own });
}

/** Brings the tables of ClickHouse up to date. Idempotent. */
export function prepareClickHouse(context: PrepareContext, env: NodeJS.ProcessEnv): Promise<void> {
  return runOnce(context, 'ClickHouse schema', { app: 'aggregator', file: 'migrate.js' }, env);
}

/** Brings the tables of PostgreSQL up to date. Idempotent. */
export function preparePostgres(context: PrepareContext, env: NodeJS.ProcessEnv): Promise<void> {
  return runOnce(context, 'PostgreSQL schema', { app: 'metrics', file: 'migrate.js' }, env);
}
