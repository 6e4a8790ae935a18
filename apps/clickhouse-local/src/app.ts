import { mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { version } from 'chdb';
import { writeConfigFile } from './engine/config-file.js';
import { Engine } from './engine/engine.js';
import type { Env } from './env.js';
import { checkFolder, recordFolder } from './folder/format.js';
import { lockFolder } from './folder/lock.js';
import { BodyBudget } from './http/body.js';
import { createHttpServer } from './http/server.js';
import { Lane } from './lane.js';
import { SpaceGuard } from './space-guard.js';

// What a killed statement needs to notice.
const KILLED_MS = 3_000;
const SWEEP_MS = 20;
const STALLED_MS = 60_000;

export interface RunningApp {
  url: string;
  /** Refuses new statements, lets the running ones end, ends those that take too long, and closes the folder. */
  stop(): Promise<void>;
}

/**
 * Opens the data folder and serves it.
 * @throws Error with one sentence when the folder is taken or unreadable, or the port cannot be had.
 */
export async function startApp(env: Env): Promise<RunningApp> {
  const folder = resolve(env.CLICKHOUSE_LOCAL_DATA_DIR);
  mkdirSync(folder, { recursive: true });
  const lock = lockFolder(folder, env.CLICKHOUSE_LOCAL_HOST);
  let engine: Engine | undefined;
  try {
    // The engine names itself as a CSV value.
    const engineVersion = version().libchdb.replaceAll('"', '');
    checkFolder(folder, engineVersion);
    recordFolder(folder, engineVersion);
    const rowsFolder = emptyFolder(join(folder, 'rows'));
    const backups = env.CLICKHOUSE_LOCAL_BACKUP_DIR;
    const opened = new Engine(
      join(folder, 'engine'),
      writeConfigFile(join(folder, 'engine.xml')),
      boundsOf(env),
      backups === undefined ? undefined : resolve(backups),
    );
    engine = opened;
    const space = new SpaceGuard(opened, {
      folder,
      freeBytesMin: env.CLICKHOUSE_LOCAL_FREE_BYTES_MIN,
      tell: (line) => console.error(line),
    });
    let stopping = false;
    const lane = (name: string, sessions: number) =>
      new Lane(
        name,
        Array.from({ length: sessions }, () => opened.openSession()),
        env.CLICKHOUSE_LOCAL_QUEUE_MAX,
        env.CLICKHOUSE_LOCAL_QUEUE_MS,
      );
    const server = createHttpServer({
      engine: opened,
      space,
      lanes: {
        write: lane('write', env.CLICKHOUSE_LOCAL_WRITE_SESSIONS),
        read: lane('read', env.CLICKHOUSE_LOCAL_READ_SESSIONS),
        snapshot: lane('snapshot', env.CLICKHOUSE_LOCAL_SNAPSHOT_SESSIONS),
        background: lane('background', env.CLICKHOUSE_LOCAL_BACKGROUND_SESSIONS),
      },
      credentials: { user: env.CLICKHOUSE_LOCAL_USER, password: env.CLICKHOUSE_LOCAL_PASSWORD },
      bodyBytesMax: env.CLICKHOUSE_LOCAL_BODY_BYTES_MAX,
      budget: new BodyBudget(env.CLICKHOUSE_LOCAL_BUFFERED_BYTES_MAX),
      rowsFolder,
      stopping: () => stopping,
    });
    // Nothing moves on a connection while its statement waits and runs; a client that takes no answer is let go.
    server.timeout = env.CLICKHOUSE_LOCAL_QUEUE_MS + env.CLICKHOUSE_LOCAL_STATEMENT_SECONDS_MAX * 1000 + STALLED_MS;
    const port = await listen(server, env.CLICKHOUSE_LOCAL_HOST, env.CLICKHOUSE_LOCAL_PORT);
    lock.announce(port);
    return {
      url: urlOf(env.CLICKHOUSE_LOCAL_HOST, port),
      async stop() {
        stopping = true;
        await drain(server, opened, env.CLICKHOUSE_LOCAL_DRAIN_MS);
        await space.stop();
        await opened.close();
        lock.release();
      },
    };
  } catch (error) {
    await engine?.close();
    lock.release();
    throw error;
  }
}

async function drain(server: Server, engine: Engine, drainMs: number): Promise<void> {
  const closed = new Promise<void>((done) => {
    server.close(() => done());
  });
  // A connection that is busy now turns idle with its answer, and would be kept open for the client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const patience = new AbortController();
  const inTime = await Promise.race([closed, delay(drainMs, 'late' as const, { signal: patience.signal })]);
  if (inTime === 'late') {
    await engine.kill();
    await Promise.race([closed, delay(KILLED_MS, undefined, { signal: patience.signal })]);
  }
  clearInterval(sweep);
  patience.abort();
  server.closeAllConnections();
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      fail(error.code === 'EADDRINUSE' ? new Error(`The port ${port} of ${host} is taken.`) : error);
    });
    server.listen(port, host, () => done((server.address() as AddressInfo).port));
  });
}

const urlOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  return path;
}

const boundsOf = (env: Env) => ({
  statementSecondsMax: env.CLICKHOUSE_LOCAL_STATEMENT_SECONDS_MAX,
  statementMemoryBytesMax: env.CLICKHOUSE_LOCAL_STATEMENT_MEMORY_BYTES_MAX,
  memoryBytesMax: env.CLICKHOUSE_LOCAL_MEMORY_BYTES_MAX,
  resultBytesMax: env.CLICKHOUSE_LOCAL_RESULT_BYTES_MAX,
});
