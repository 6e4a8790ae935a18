import { join } from 'node:path';
import { describeExit, LaunchError, spawnNodeApp, type DataFolder } from '@jetton-analytics/embedded';
import type { Output } from './output.js';
import type { Supervisor } from './supervisor.js';

export interface PrepareContext {
  readonly root: string;
  readonly folder: DataFolder;
  readonly supervisor: Supervisor;
  readonly output: Output;
}

const stepTimeoutMs = 120_000;
const linesMax = 50;

/** Runs a program to its end and shows what it says as steps. Throws a LaunchError with its output when it fails. */
async function runOnce(
  { root, folder, supervisor, output }: PrepareContext,
  name: string,
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const lines: string[] = [];
  await supervisor.during(async () => {
    const child = await spawnNodeApp({
      name,
      script: join(root, script),
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

/** Topics and schemas: explicit steps, each of which changes nothing when it has been done before. */
export async function prepareStores(
  context: PrepareContext,
  env: NodeJS.ProcessEnv,
  { createFeedTopics }: { createFeedTopics: boolean },
): Promise<void> {
  await Promise.all([
    runOnce(context, 'topics', 'apps/aggregator/dist/topics.js', {
      ...env,
      CREATE_FEED_TOPICS: createFeedTopics ? '1' : '0',
    }),
    runOnce(context, 'ClickHouse schema', 'apps/aggregator/dist/migrate.js', env),
    runOnce(context, 'PostgreSQL schema', 'apps/metrics/dist/migrate.js', env),
  ]);
}
