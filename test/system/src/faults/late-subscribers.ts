import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RollupDataset } from '@jetton-analytics/common';
import type { Random } from '../support/random.js';
import type { NewestByKey } from './compare-topics.js';
import type { FaultBed } from './fault-bed.js';

const script = fileURLToPath(new URL('../../../../examples/rollup-subscriber.ts', import.meta.url));
const wholeRunMs = 300_000;
const killWithinMs = { min: 300, max: 4_000 };

/** What the example subscriber has in its table after it was killed `kills` times, and how many of these came in time. */
export async function followLate(
  bed: Pick<FaultBed, 'brokers' | 'rollupPrefix'>,
  dataset: RollupDataset,
  kills: number,
  random: Random,
): Promise<{ readonly newest: NewestByKey; readonly killed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'jetton-faults-subscriber-'));
  try {
    const file = join(folder, `${dataset}.sqlite`);
    let killed = 0;
    for (let left = kills; left > 0; left -= 1) {
      const isKilled = await subscribe(bed, dataset, file, random.integer(killWithinMs.min, killWithinMs.max));
      killed += isKilled ? 1 : 0;
    }
    await subscribe(bed, dataset, file);
    return { newest: tableOf(file), killed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs it to its end or kills it before; returns whether it was killed. */
async function subscribe(
  { brokers, rollupPrefix }: Pick<FaultBed, 'brokers' | 'rollupPrefix'>,
  dataset: RollupDataset,
  file: string,
  killAfterMs?: number,
): Promise<boolean> {
  const options = ['--brokers', brokers.join(','), '--prefix', rollupPrefix, '--dataset', dataset, '--file', file];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...options, '--once'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: wholeRunMs,
  });
  let told = '';
  child.stderr.on('data', (bytes: Buffer) => (told = (told + bytes.toString()).slice(-2_000)));
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), exited]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  if (killAfterMs !== undefined && signal === 'SIGKILL') return true;
  if (code !== 0) throw new Error(`the subscriber of ${dataset} ended with ${code ?? signal}: ${told}`);
  return false;
}

function tableOf(file: string): NewestByKey {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT key, record FROM rollups').all();
    return new Map(
      rows.map(({ key, record }) => {
        const text = String(record);
        return [String(key), { revision: BigInt((JSON.parse(text) as { revision: string }).revision), text }];
      }),
    );
  } finally {
    database.close();
  }
}
