import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const START_MS = 20_000;

export interface ServerProcess {
  url: string;
  port: number;
  pid: number;
  client(options?: NonNullable<Parameters<typeof createClient>[0]>): ClickHouseClient;
  /** Sends the signal and waits for the end. @returns the exit code, null after a signal */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Ended {
  code: number | null;
  stderr: string;
}

/** A new empty folder below the system's temporary one, for the caller to remove by `removeFolder`. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'clickhouse-local-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Starts the built program on a folder and a free port, and waits until it says where it listens. */
export async function startServer(folder: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawnMain(folder, env);
  const ended = endOf(child);
  const line = await Promise.race([firstLine(child), ended.then((end) => Promise.reject(new Error(end.stderr)))]);
  const url = line.replace('listening ', '');
  const clients: ClickHouseClient[] = [];
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    client(options = {}) {
      const client = createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });
      clients.push(client);
      return client;
    },
    async end(signal) {
      await Promise.all(clients.map((client) => client.close()));
      child.kill(signal);
      return (await ended).code;
    },
  };
}

/** Starts the built program and waits for its end: for starts that are to fail. */
export async function runToEnd(folder: string, env: Record<string, string> = {}): Promise<Ended> {
  const child = spawnMain(folder, env);
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const end = await endOf(child);
  clearTimeout(timer);
  return end;
}

function spawnMain(folder: string, env: Record<string, string>): ChildProcess {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run npm run build first.`);
  return spawn(process.execPath, [MAIN], {
    env: { ...process.env, CLICKHOUSE_LOCAL_DATA_DIR: folder, CLICKHOUSE_LOCAL_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server did not listen within ${START_MS} ms`));
    }, START_MS);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const newline = text.indexOf('\n');
      if (newline === -1) return;
      clearTimeout(timer);
      resolve(text.slice(0, newline));
    });
  });
}

function endOf(child: ChildProcess): Promise<Ended> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }));
  });
}
