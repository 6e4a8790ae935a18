import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaunchError, systemCodeOf } from './launch-error.js';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.js';
import type { ProcessRegistry, RegisteredProcess } from './process-registry.js';
import { stopProcess } from './stop-process.js';
import { tailOf } from './tail.js';

/** Where a child's output goes: to a function line by line, or to a file (which the child can outlive us with). */
export type ProcessOutput = { readonly onLine: (line: string) => void } | { readonly file: string };

export interface ManagedProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment; without it the child inherits ours. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly output: ProcessOutput;
  readonly registry?: ProcessRegistry;
  readonly stopSignal?: 'SIGTERM' | 'SIGINT';
  readonly stopGraceMs?: number;
  /** Asked again and again until it is true; without it the process counts as ready at once. */
  readonly readyWhen?: () => Promise<boolean>;
  readonly readyTimeoutMs?: number;
  /** Gives the child a channel whose closing tells it that we have died; for Node programs that listen to it. */
  readonly ipc?: boolean;
  /** With `ipc`: the child gets the message `run` when this resolves, none when it rejects. */
  readonly runWhen?: Promise<unknown>;
  /** Lets this process end while the child runs on. */
  readonly unref?: boolean;
  /** Turns the last lines of a child that failed to start into a sentence, where the cause is a known one. */
  readonly explain?: (lastLines: readonly string[]) => string | undefined;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ManagedProcess extends ProcessIdentity {
  readonly name: string;
  /** Settles when the process has ended and everything it wrote was handed on. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Why it ended as it did, for a person: the known cause, else how it ended and, of a silent one, its last lines. */
  describeEnd(exit: ProcessExit): string;
  /** Ends it: its stop signal, a deadline, then SIGKILL. Returns at once when it has ended already. */
  stop(): Promise<void>;
}

// Most are ready within a second or two; asking more slowly later leaves the processor to those who work.
const readyPollMs = { first: 50, last: 400, factor: 1.2 };
const lastLinesMax = 20;
const lineCharsMax = 16_384;

function followLines(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  return Promise.all(
    streams.map(async (stream) => {
      for await (const line of createInterface({ input: stream })) onLine(line.slice(0, lineCharsMax));
    }),
  ).then(() => undefined);
}

/** How a process ended, for a sentence: `exited with code 1`, `was ended by SIGKILL`. */
export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `exited with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
}

function register(registry: ProcessRegistry | undefined, entry: RegisteredProcess): void {
  try {
    registry?.add({ ...entry, command: entry.command.slice(0, 1_000) });
  } catch (error) {
    // Unregistered it would be lost to a later start; it has done nothing yet.
    process.kill(-entry.pid, 'SIGKILL');
    throw error;
  }
}

function started(child: ChildProcess, name: string, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      const reason = systemCodeOf(error) === 'ENOENT' ? `the program ${command} was not found` : error.message;
      reject(new LaunchError(`${name} cannot start: ${reason}`, { cause: error }));
    });
  });
}

/**
 * Starts a child in a process group of its own, so that Ctrl-C in a terminal reaches only us and we stop the children in
 * order. Resolves when it is ready. Throws a LaunchError, and leaves nothing running, when it ends or stays unready.
 */
export async function spawnManaged(options: ManagedProcessOptions): Promise<ManagedProcess> {
  const { name, command, args, output, registry, stopSignal = 'SIGTERM', stopGraceMs = 15_000 } = options;
  const file = 'file' in output ? openSync(output.file, 'a') : undefined;
  const sink = file ?? 'pipe';
  const child = spawn(command, args, {
    detached: true,
    stdio: options.ipc === true ? ['ignore', sink, sink, 'ipc'] : ['ignore', sink, sink],
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  if (file !== undefined) closeSync(file);
  // A program that is done before we look has no start time any more; it is as dead as this identity.
  const identity = identityOf(child.pid ?? 0) ?? { pid: child.pid ?? 0, startTime: 'ended' };
  if (isAlive(identity)) register(registry, { ...identity, name, stopSignal, command: [command, ...args].join(' ') });
  const exit = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await started(child, name, command);
  void options.runWhen?.then(
    // Gone before it could run: whoever waits for it is told by its end.
    () => child.connected && child.send('run', () => undefined),
    () => undefined,
  );
  if (options.unref === true) {
    child.unref();
    child.channel?.unref();
  }

  const lastLines: string[] = [];
  const lines =
    'file' in output
      ? Promise.resolve()
      : followLines(child, (line) => {
          lastLines.push(line);
          if (lastLines.length > lastLinesMax) lastLines.shift();
          output.onLine(line);
        });
  const exited = exit.then(async (ended) => {
    await Promise.race([lines, sleep(1_000, undefined, { ref: false })]); // a grandchild may hold the pipe open
    registry?.remove(identity);
    return ended;
  });
  const stop = async () => {
    await stopProcess(identity, { signal: stopSignal, graceMs: stopGraceMs });
    await exited;
  };

  const describe = (what: string, linesAreKnown: boolean) => {
    const last = 'file' in output ? tailOf(output.file, lastLinesMax) : lastLines;
    const known = options.explain?.(last);
    if (known !== undefined) return known;
    const told = linesAreKnown ? [] : last;
    return [`${name} ${what}${told.length === 0 ? '' : '; the last it said:'}`, ...told].join('\n  ');
  };
  const failure = (what: string) => new LaunchError(describe(what, false));
  const readyTimeoutMs = options.readyTimeoutMs ?? 60_000;
  const end = performance.now() + readyTimeoutMs;
  const endedSoFar = { exit: undefined as ProcessExit | undefined };
  void exited.then((value) => (endedSoFar.exit = value));
  let pollMs = readyPollMs.first;
  try {
    while (options.readyWhen !== undefined && !(await options.readyWhen())) {
      if (endedSoFar.exit !== undefined) throw failure(`${describeExit(endedSoFar.exit)} before it was ready`);
      if (performance.now() >= end) throw failure(`was not ready after ${Math.round(readyTimeoutMs / 1000)} s`);
      await Promise.race([sleep(pollMs), exited]);
      pollMs = Math.min(pollMs * readyPollMs.factor, readyPollMs.last);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const describeEnd = (exitSeen: ProcessExit) => describe(describeExit(exitSeen), !('file' in output));
  return { ...identity, name, exited, describeEnd, stop };
}
