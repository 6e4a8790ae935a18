import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchError, systemCodeOf, type DataFolder } from '@jetton-analytics/embedded';
import { parseStackEnv } from './environment.js';
import { parseOptions, UsageError } from './options.js';
import { createOutput } from './output.js';
import type { Checkout } from './prepare.js';
import { startStack, takeFolder } from './run-stack.js';
import { Supervisor } from './supervisor.js';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the signals that the terminal has already sent to all of us: the same key press arrives twice. */
const samePressMs = 1_000;
const exitForced = 130;

/** Resolves with the name of the first signal (or of the closed output) that asks us to stop; a later one is an order. */
function stopRequests(onForce: () => void): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const ask = (why: string) => {
      if (first === undefined) {
        first = performance.now();
        resolve(why);
      } else if (performance.now() - first > samePressMs && why !== 'SIGHUP') onForce();
    };
    for (const signal of stopSignals) process.on(signal, () => ask(signal));
    // The terminal is gone or the reader of a pipe has left: nobody sees us any more.
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => {
        if (first === undefined) ask('SIGHUP');
      });
    }
  });
}

function sentenceOf(error: unknown): string {
  if (error instanceof LaunchError || error instanceof UsageError) return error.message;
  const code = systemCodeOf(error);
  if (code === 'ENOSPC') return `the disk is full: ${String(error)}`;
  if (code === 'EACCES' || code === 'EROFS') return `the data folder cannot be written: ${String(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function complain(error: unknown): void {
  process.stderr.write(`${sentenceOf(error)}\n`);
}

/** The whole life of the stack: from the command line to the exit code, which it sets. */
export async function runMain({ root, build }: Checkout, args: readonly string[]): Promise<void> {
  const terminal = process.stdout.isTTY;
  const output = createOutput((text) => void process.stdout.write(text), { colour: terminal });
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));

  const abort = new AbortController();
  let folder: DataFolder | undefined;
  let supervisor: Supervisor | undefined;
  const requested = stopRequests(() => {
    if (folder !== undefined) folder.registry.killAll();
    process.exit(exitForced);
  });
  try {
    // npm runs us in the checkout; paths are meant from where npm was called.
    const options = parseOptions(args, process.env['INIT_CWD'] ?? process.cwd());
    const settings = parseStackEnv(process.env);
    const context = {
      root,
      build,
      options,
      settings: { ...settings, LOG_FORMAT: settings.LOG_FORMAT ?? (terminal ? 'pretty' : 'json') },
      env: process.env,
      output,
      signal: abort.signal,
    } as const;
    folder = await takeFolder(context);
    supervisor = new Supervisor(folder.registry);
    const starting = startStack(context, folder, supervisor);
    starting.catch(() => undefined); // also watched below; after a stop nobody else waits for it
    const until = Promise.race([requested, supervisor.failure]);
    await Promise.race([starting, until]);
    output.step(`${await until}: stopping`);
  } catch (error) {
    process.exitCode = error instanceof UsageError ? error.exitCode : 1;
    if (process.exitCode !== 0) complain(error);
  }
  abort.abort();
  try {
    await supervisor?.stop();
  } catch (error) {
    process.exitCode = 1;
    complain(error);
  }
  folder?.release();
  if (supervisor !== undefined) output.step('stopped');
  process.exit();
}
