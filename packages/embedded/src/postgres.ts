import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull, requireFreeSpace } from './disk-space.js';
import { LaunchError, systemCodeOf } from './launch-error.js';
import { spawnManaged, type ManagedProcess } from './managed-process.js';
import { preferPort, requireFreePort } from './ports.js';
import { postgresAccount, type PostgresAccount } from './postgres-account.js';
import { postgresBinaries } from './postgres-binaries.js';
import { ensureDatabase } from './postgres-database.js';
import type { ProcessRegistry } from './process-registry.js';
import { runCommand } from './run-command.js';
import { clearStalePostmaster } from './stale-postmaster.js';

export interface PostgresOptions {
  readonly dataDir: string;
  /** A taken port is an error; without it 5432 or, when that is taken, any free one. */
  readonly port?: number;
  /** False for tests: nothing is forced to disk. */
  readonly durable?: boolean;
  readonly registry?: ProcessRegistry;
  readonly unref?: boolean;
}

export interface RunningPostgres extends ManagedProcess {
  /** Of the database `jetton_analytics`, user and password included. */
  readonly url: string;
}

const defaultPort = 5432;
const database = 'jetton_analytics';
const user = 'postgres';
const freeBytesMin = 128 * 2 ** 20;
const initTimeoutMs = 60_000;

/** Settings of one run of PostgreSQL's programs under the account they need. */
function under({ uid, gid, wrapper }: PostgresAccount, program: string, args: readonly string[]) {
  const [command = program, ...rest] = [...wrapper, program, ...args];
  const ids = wrapper.length > 0 || uid === undefined || gid === undefined ? {} : { uid, gid };
  return { command, args: rest, ...ids };
}

function passwordOf(dataDir: string): string {
  const file = join(dataDir, 'password');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
  const password = randomBytes(6).toString('base64url');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Makes the cluster in a folder aside and moves it in place, so that a kill half-way leaves no half of one. */
async function initialise(
  dataDir: string,
  databaseDir: string,
  initdb: string,
  account: PostgresAccount,
  registry: ProcessRegistry | undefined,
): Promise<void> {
  const partial = join(dataDir, 'partial');
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  const passwordFile = join(partial, 'pw');
  writeFileSync(passwordFile, passwordOf(dataDir), { mode: 0o600 });
  const cluster = join(partial, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) {
    for (const path of [partial, passwordFile, cluster]) chownSync(path, account.uid, account.gid);
  }
  const flags = [
    '--locale=C',
    '--encoding=UTF8',
    '--auth=scram-sha-256',
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
  ];
  const { command, args, ...ids } = under(account, initdb, ['-D', cluster, ...flags]);
  const { code, lines } = await runCommand('initdb', command, args, {
    timeoutMs: initTimeoutMs,
    cwd: dataDir,
    ...ids,
    ...(registry === undefined ? {} : { registry }),
  });
  if (code !== 0) {
    throw new LaunchError(
      /No space left on device/.test(lines.join('\n'))
        ? `PostgreSQL cannot start: the disk that holds ${dataDir} is full`
        : ['PostgreSQL could not make its data folder:', ...lines.slice(-5)].join('\n  '),
    );
  }
  renameSync(cluster, databaseDir);
  rmSync(partial, { recursive: true, force: true });
}

/**
 * Starts PostgreSQL on 127.0.0.1 and resolves when the database `jetton_analytics` exists and takes connections. A data
 * folder used before is continued. Its log is `<dataDir>/postgres.log`.
 * Throws a LaunchError: no binaries for the platform, port taken, disk full, server ended while starting.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, durable = true, registry, unref } = options;
  const { initdb, postgres } = postgresBinaries();
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o755); // run by root, PostgreSQL has another account, which must be able to pass
  await requireFreeSpace(dataDir, freeBytesMin, 'PostgreSQL');
  const account = await postgresAccount([postgres, dataDir]);
  const databaseDir = join(dataDir, 'cluster');
  await clearStalePostmaster(databaseDir);
  const port = options.port ?? (await preferPort(defaultPort));
  await requireFreePort(port, 'PostgreSQL');
  if (!existsSync(databaseDir)) await initialise(dataDir, databaseDir, initdb, account, registry);

  const log = join(dataDir, 'postgres.log');
  rmSync(log, { force: true });
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '64MB',
    log_min_messages: 'warning',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const serverUrl = `postgres://${user}:${passwordOf(dataDir)}@127.0.0.1:${port}`;
  const server = await spawnManaged({
    name: 'postgres',
    ...under(account, postgres, ['-D', databaseDir, '-p', String(port), ...flags]),
    cwd: dataDir,
    output: { file: log },
    stopSignal: 'SIGINT', // "fast": open connections are ended, not waited for
    readyWhen: async () => {
      try {
        await ensureDatabase(`${serverUrl}/postgres`, database);
        return true;
      } catch {
        return false; // still starting or recovering; should it end instead, the process is watched
      }
    },
    explain: (lines) => {
      const text = lines.join('\n');
      if (/No space left on device/.test(text) || isDiskFull(dataDir))
        return `PostgreSQL stopped: the disk that holds ${dataDir} is full`;
      if (/database files are incompatible/.test(text)) {
        return `PostgreSQL cannot read ${databaseDir}: it was made by another version`;
      }
      return undefined;
    },
    ...(registry === undefined ? {} : { registry }),
    ...(unref === undefined ? {} : { unref }),
  });
  return { ...server, url: `${serverUrl}/${database}` };
}
