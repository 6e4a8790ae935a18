import { join } from 'node:path';
import { spawnNodeApp } from '@jetton-analytics/embedded';
import { FeedLines } from './feed-lines.js';
import { busyNodeArgs } from './apps.js';
import type { StackSource } from './options.js';
import type { PrepareContext } from './prepare.js';
import { ranks } from './ranks.js';

const flag = (name: string, value: number | undefined) => (value === undefined ? [] : [name, String(value)]);

export interface RunningFeed {
  /** Whether everything there was to send at the start has been sent. */
  readonly isThrough: () => boolean;
  /** See FeedLines.begun. */
  readonly begun: Promise<void>;
}

/** Arguments of the feed's program for this source; its state lies in `stateDir`. */
function feedArguments(source: Exclude<StackSource, { kind: 'kafka' }>, stateDir: string): string[] {
  if (source.kind === 'replay') {
    return ['replay', source.file, '--state-dir', stateDir, ...(source.shiftToNow ? ['--shift-to-now'] : [])];
  }
  return [
    'simulate',
    '--state-dir',
    stateDir,
    ...flag('--trades', source.trades),
    ...flag('--rate', source.rate),
    ...flag('--seed', source.seed),
  ];
}

/**
 * Starts the program that produces the trades, to run when `runWhen` resolves: a replay ends when the file has been sent,
 * the market never does.
 */
export async function startFeed(
  { root, build, folder, supervisor, output }: PrepareContext,
  source: Exclude<StackSource, { kind: 'kafka' }>,
  env: NodeJS.ProcessEnv,
  runWhen: Promise<unknown>,
): Promise<RunningFeed> {
  const name = source.kind === 'replay' ? 'replay' : 'market';
  const lines = new FeedLines(name, output);
  const programs = join(root, 'apps', 'market', build);
  await supervisor.keep(
    ranks.feed,
    () =>
      spawnNodeApp({
        name,
        script: join(programs, 'main.js'),
        warm: { module: join(programs, 'run.js'), runWhen },
        nodeArgs: busyNodeArgs,
        args: feedArguments(source, join(folder.dir, 'feed')),
        env,
        output: { onLine: (line) => lines.read(line) },
        registry: folder.registry,
      }),
    { mayEnd: source.kind === 'replay' },
  );
  return { isThrough: () => lines.isThrough, begun: lines.begun };
}
