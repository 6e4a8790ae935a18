import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ManagedProcess, spawnNodeApp } from '@jetton-analytics/embedded';
import { createLogger } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { Env } from '../src/env.js';
import { startAggregator } from '../src/start-aggregator.js';

/** The lines an aggregator has logged, as objects. */
type LogLines = readonly Readonly<Record<string, unknown>>[];

export interface RunningApp {
  readonly log: LogLines;
  /** The value of a counter or gauge with these labels; 0 where it has none yet. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
  close(): Promise<void>;
}

/** Starts the aggregator in this process. */
export async function startApp(env: Readonly<Record<string, string>>): Promise<RunningApp> {
  const log: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trimEnd().split('\n')) log.push(objectOf(line));
      done();
    },
  });
  const settings = Env.parse(env);
  const logger = createLogger({ name: 'aggregator', level: settings.LOG_LEVEL, format: 'json', destination });
  const running = await startAggregator({ settings, logger });
  return {
    log,
    metric: (name, labels) => metricOf(log, name, labels),
    close: () => running.close(),
  };
}

export interface AppProcess {
  readonly process: ManagedProcess;
  readonly log: LogLines;
  /** How it ended by itself; when it has not by the deadline, it is stopped and this throws. */
  untilEnd(timeoutMs?: number): Promise<Awaited<ManagedProcess['exited']>>;
}

/** Starts the built aggregator as a process of its own, which ends with this one. */
export async function spawnApp(env: Readonly<Record<string, string>>): Promise<AppProcess> {
  const log: Record<string, unknown>[] = [];
  const app = await spawnNodeApp({
    name: 'aggregator',
    script: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
    env,
    output: { onLine: (line) => log.push(objectOf(line)) },
  });
  return {
    process: app,
    log,
    async untilEnd(timeoutMs = 60_000) {
      let exit: Awaited<ManagedProcess['exited']> | undefined;
      void app.exited.then((ended) => (exit = ended));
      try {
        return await pollUntil(() => exit, { what: 'the end of the aggregator', timeoutMs });
      } finally {
        await app.stop();
      }
    },
  };
}

function objectOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { msg: line };
  }
}

async function metricOf(log: LogLines, name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const url = log.find(({ metricsUrl }) => metricsUrl !== undefined)?.['metricsUrl'];
  if (typeof url !== 'string') throw new Error('the aggregator has not said where its metrics are');
  const text = await (await fetch(`${url}/metrics`)).text();
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find((one) => new RegExp(`^${name}[{ ]`).test(one) && wanted.every((label) => one.includes(label)));
  return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ')));
}
