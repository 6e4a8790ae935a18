import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from './poll.js';
import { newFolder, removeFolder, startServer } from './server-process.js';

const INSERTS = 2;
const ROWS = 50_000;
const DISK_MIB = 512;
const NOT_ENOUGH_SPACE = '243';
const TEST_MS = 120_000;
const WAIT_MS = 20;
/** What the disk is filled during, and how long after it has begun: it has found its space by then, and still compresses. */
const SHORTAGES = [
  ['insert', 100],
  ['insert', 200],
  ['merge', 200],
] as const;

let folder: string;
let disk: string;

function mountSmallDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('skipped: the test of a full disk, since nothing can be mounted (root only)\n');
    return false;
  }
}

folder = newFolder();
disk = join(folder, 'disk');
mkdirSync(disk);
const isMounted = mountSmallDisk();
const describeMounted = isMounted ? describe : describe.skip;

afterAll(() => {
  if (isMounted) execFileSync('umount', [disk]);
  removeFolder(folder);
});

/** Takes every byte that is free; returns what gives them back. */
function fill(): () => void {
  const ballast = join(disk, 'ballast');
  const block = Buffer.alloc(2 ** 20);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk);
      if (bavail === 0) break;
      writeFileSync(ballast, block.subarray(0, Math.min(block.length, bavail * bsize)), { flag: 'a' });
    }
  } catch {
    // full
  }
  return () => rmSync(ballast, { force: true });
}

describeMounted('a disk that is full', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer(join(disk, 'data'));
  });
  afterAll(() => server?.end('SIGTERM'));

  it(
    'costs no acknowledged insert, though the engine takes writes without space for done, and is waited out',
    async () => {
      const client = server.client();
      const table =
        'CREATE TABLE full (batch UInt32, i UInt32, filler String CODEC(ZSTD(12))) ENGINE = MergeTree ORDER BY (batch, i)';
      await client.command({ query: `${table} SETTINGS min_bytes_for_wide_part = 0, min_rows_for_wide_part = 0` });
      let refused = 0;
      const untilDone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        for (;;) {
          try {
            return await work();
          } catch (error) {
            if (!(error instanceof ClickHouseError) || error.code !== NOT_ENOUGH_SPACE) throw error;
            refused += 1;
            await delay(WAIT_MS);
          }
        }
      };
      let batch = 0;
      const insert = (): Promise<unknown> => {
        batch += 1;
        const from = `SELECT ${batch}, number, hex(sipHash128(number, ${batch})) FROM numbers(${ROWS})`;
        return untilDone(() => client.command({ query: `INSERT INTO full ${from}` }));
      };
      const merge = (): Promise<unknown> => untilDone(() => client.command({ query: 'OPTIMIZE TABLE full FINAL' }));
      const works = { insert: () => Promise.all(Array.from({ length: INSERTS }, insert)), merge };
      /** Fills the disk while the work runs; says whether any of it was refused. */
      const isMet = async (kind: keyof typeof works, fillAfterMs: number): Promise<boolean> => {
        const before = refused;
        let isDone = false;
        const work = works[kind]().finally(() => (isDone = true));
        await delay(fillAfterMs);
        const free = fill();
        await until(() => Promise.resolve(isDone || refused > before), Boolean, TEST_MS);
        free();
        await work;
        return refused > before;
      };
      for (const [kind, fillAfterMs] of SHORTAGES) {
        // A fast machine is done before its disk is full: then the next disk is filled earlier.
        let afterMs = fillAfterMs;
        while (!(await isMet(kind, afterMs))) afterMs /= 2;
      }
      // Work that was done before its disk was full leaves this one to be refused until the server has looked again.
      const rows = await untilDone(async () => {
        const result = await client.query({
          query:
            'SELECT batch, uniqExact(i) AS rows, min(length(filler)) AS least FROM full GROUP BY batch ORDER BY batch',
          format: 'JSONEachRow',
        });
        return result.json<{ rows: string }>();
      });
      const expected = Array.from({ length: batch }, (_, index) => ({ batch: index + 1, rows: ROWS, least: 32 }));
      expect(rows.map((row) => ({ ...row, rows: Number(row.rows) }))).toEqual(expected);
    },
    TEST_MS,
  );
});
