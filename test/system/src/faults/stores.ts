import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  startClickHouseLocal,
  startKafka,
  startPostgres,
  type ManagedProcess,
} from '@jetton-analytics/embedded';
import { signalTo } from './signal-to.js';
import { pollUntil, sharedClickHouse, sharedKafka, sharedPostgres } from '@jetton-analytics/testing';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const diskBytes = 6 * 2 ** 30;

export type StoreName = 'kafka' | 'engine' | 'postgres';
export const storeNames = ['kafka', 'engine', 'postgres'] as const satisfies readonly StoreName[];

/** The three stores at their own addresses, past any relay. */
export interface Stores {
  readonly brokers: string[];
  readonly engineUrl: string;
  readonly postgresUrl: string;
  /** Kills a store with SIGKILL and starts it on its data after `awayMs`; undefined: the stores are others' too. */
  readonly restart: ((store: StoreName, awayMs: number) => Promise<void>) | undefined;
  /** Fills the disk of the engine for a while; undefined: it is not on a disk of its own. */
  readonly fillDisk: ((forMs: number) => Promise<void>) | undefined;
  stop(): Promise<void>;
}

/** Those of this Jest run. */
export async function sharedStores(): Promise<Stores> {
  const [{ brokers }, engine, postgres] = await Promise.all([sharedKafka(), sharedClickHouse(), sharedPostgres()]);
  return {
    brokers,
    engineUrl: engine.url,
    postgresUrl: postgres.url,
    restart: undefined,
    fillDisk: undefined,
    stop: () => Promise.resolve(),
  };
}

function mountSmallDisk(folder: string, tell: (line: string) => void): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
    return true;
  } catch (error) {
    tell(`skipped: the full disk, since a tmpfs cannot be mounted: ${String(error).split('\n').join(' ')}`);
    return false;
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Stores of our own in a temporary folder, to be killed at will; `root`: where the engine's program is built. */
export async function ownStores(root: string, tell: (line: string) => void): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'jetton-faults-stores-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user
  const engineFolder = join(folder, 'engine');
  mkdirSync(engineFolder);
  const isMounted = mountSmallDisk(engineFolder, tell);
  const [kafkaPort, enginePort, postgresPort] = [await freePort(), await freePort(), await freePort()];
  const start: Record<StoreName, () => Promise<ManagedProcess>> = {
    kafka: () =>
      startKafka({
        dataDir: join(folder, 'kafka'),
        cacheDir: join(checkout, '.cache'),
        port: kafkaPort,
        heapMb: 768,
      }),
    engine: () =>
      startClickHouseLocal({
        repositoryRoot: root,
        dataDir: join(engineFolder, 'data'),
        port: enginePort,
        env: process.env,
        output: { onLine: () => undefined },
      }),
    postgres: () => startPostgres({ dataDir: join(folder, 'postgres'), port: postgresPort, durable: false }),
  };
  const [kafka, engine, postgres] = await Promise.all([start.kafka(), start.engine(), start.postgres()]);
  const running: Record<StoreName, ManagedProcess> = { kafka, engine, postgres };
  return {
    brokers: [`127.0.0.1:${kafkaPort}`],
    engineUrl: `http://127.0.0.1:${enginePort}`,
    postgresUrl: 'url' in postgres ? String(postgres.url) : '',
    async restart(store, awayMs) {
      const { pid, exited } = running[store];
      signalTo(pid, 'SIGKILL');
      await exited;
      await sleep(awayMs);
      // What a killed server has left may hold its port or memory for a moment.
      running[store] = await pollUntil(() => start[store](), {
        what: `${store} to start again`,
        timeoutMs: 90_000,
        intervalMs: 500,
      });
    },
    fillDisk: isMounted
      ? async (forMs) => {
          const ballast = join(engineFolder, 'ballast');
          const { bavail, bsize } = statfsSync(engineFolder);
          try {
            const block = Buffer.alloc(8 * 2 ** 20);
            try {
              for (let left = bavail * bsize; left > 0; left -= block.length)
                writeFileSync(ballast, block, { flag: 'a' });
            } catch {
              // full
            }
            await sleep(forMs);
          } finally {
            rmSync(ballast, { force: true });
          }
        }
      : undefined,
    async stop() {
      await Promise.all(Object.values(running).map((store) => store.stop()));
      if (isMounted) execFileSync('umount', [engineFolder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
