import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull, requireFreeSpace } from './disk-space.js';
import { answersHttp } from './http-ready.js';
import type { ManagedProcess, ProcessOutput } from './managed-process.js';
import { spawnNodeApp } from './node-app.js';
import { preferPort, requireFreePort } from './ports.js';
import type { ProcessRegistry } from './process-registry.js';
import { tailOf } from './tail.js';

interface ClickHouseLocalOptions {
  /** The checkout, whose apps/clickhouse-local must be built. */
  readonly repositoryRoot: string;
  /** The folder of the app that its program lies in. */
  readonly build?: 'bundle' | 'dist';
  readonly dataDir: string;
  /** A taken port is an error; without it 8123 or, when that is taken, any free one. */
  readonly port?: number;
  /** What the program's environment holds besides its address and folder. */
  readonly env: NodeJS.ProcessEnv;
  readonly output: ProcessOutput;
  readonly registry?: ProcessRegistry;
  readonly unref?: boolean;
}

export interface RunningClickHouse extends ManagedProcess {
  readonly url: string;
}

const defaultPort = 8123;
const freeBytesMin = 256 * 2 ** 20;

const saysListening = (line: string) => line.startsWith('listening ');

/** The output with an eye on the line the server writes when it listens. */
function followListening(output: ProcessOutput): { followed: ProcessOutput; listens: () => boolean } {
  if ('file' in output) return { followed: output, listens: () => tailOf(output.file, 50).some(saysListening) };
  let seen = false;
  const onLine = (line: string) => {
    if (saysListening(line)) seen = true;
    else output.onLine(line);
  };
  return { followed: { onLine }, listens: () => seen };
}

/**
 * Starts ClickHouse's engine behind its local HTTP server (apps/clickhouse-local) and resolves when it answers /ping.
 * Throws a LaunchError: not built, port taken, disk full, data folder in use.
 */
export async function startClickHouseLocal(options: ClickHouseLocalOptions): Promise<RunningClickHouse> {
  const { repositoryRoot, build = 'dist', dataDir, env, output, registry, unref } = options;
  mkdirSync(dataDir, { recursive: true });
  if ('file' in output) rmSync(output.file, { force: true }); // a line of an earlier start would be taken for this one's
  await requireFreeSpace(dataDir, freeBytesMin, 'ClickHouse');
  const port = options.port ?? (await preferPort(defaultPort));
  await requireFreePort(port, 'ClickHouse');
  const url = `http://127.0.0.1:${port}`;
  const { followed, listens } = followListening(output);
  const server = await spawnNodeApp({
    name: 'clickhouse',
    script: join(repositoryRoot, 'apps', 'clickhouse-local', build, 'main.js'),
    env: {
      ...env,
      // What the program would otherwise set by starting itself over, and so lose the channel by which it sees us die.
      UV_THREADPOOL_SIZE: env['UV_THREADPOOL_SIZE'] ?? '16',
      TZ: 'UTC',
      CLICKHOUSE_LOCAL_HOST: '127.0.0.1',
      CLICKHOUSE_LOCAL_PORT: String(port),
      CLICKHOUSE_LOCAL_DATA_DIR: dataDir,
    },
    output: followed,
    explain: () => (isDiskFull(dataDir) ? `ClickHouse stopped: the disk that holds ${dataDir} is full` : undefined),
    // The line tells our server from another that has taken the port since: nothing of ours must be written there.
    readyWhen: async () => listens() && (await answersHttp(`${url}/ping`)),
    ...(registry === undefined ? {} : { registry }),
    ...(unref === undefined ? {} : { unref }),
  });
  return { ...server, url };
}
