import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@jetton-analytics/testing';
import { address, nativeAddress } from './feed-messages.js';
import { type Input, newInput } from './input.js';
import { ledgerTotals, markers, terms } from './ledger.js';
import { type AppProcess, spawnApp } from './running-app.js';
import { publishedRows, windowOf } from './snapshot-view.js';

// 2026-03-10T10:00:00Z
const at = 1_773_136_800;
const jetton = address('jetton');
const partitions = 4;
const perPartition = 60;
/** Longer than the session of a group's member that is silent, and a rebalance. */
const takeoverMs = 90_000;

let input: Input;
const apps: AppProcess[] = [];
let produced = 0;

const pidOf = (leader: string) => Number(leader.split(':')[1]);

/** Spreads trades over all partitions, every tenth of them twice. */
async function produce(): Promise<void> {
  for (let partition = 0; partition < partitions; partition += 1) {
    const trades = Array.from({ length: perPartition }, () => {
      produced += 1;
      return {
        tx: `trade ${produced}`,
        eventTime: at - 60 - (produced % 7_000),
        sold: nativeAddress,
        bought: jetton,
        trader: address(`trader ${produced}`),
      };
    });
    await input.produce(trades, partition);
    await input.produce(
      trades.filter((_, index) => index % 10 === 0),
      (partition + 1) % partitions,
    );
  }
}

/** Waits until the newest term has published every trade, and gives that term. */
async function untilComplete(after = 0): Promise<{ term: number; pid: number }> {
  return pollUntil(
    async () => {
      const newest = (await input.store.query(terms, {})).at(-1);
      if (newest === undefined || newest.term <= after) return undefined;
      const rows = await publishedRows(input.store, newest.term, 'mid');
      const day = windowOf(rows.get(`${jetton.toLowerCase()}|`), 'day');
      // Buys and traders.
      if (day?.[0] !== String(produced) || day[4] !== String(produced)) return undefined;
      return { term: newest.term, pid: pidOf(newest.leader) };
    },
    { what: `a snapshot of ${produced} trades in a term after ${after}`, timeoutMs: takeoverMs, intervalMs: 250 },
  );
}

const assigned = (app: AppProcess) =>
  app.log.findLast(({ msg }) => msg === 'partitions assigned')?.['partitions'] as number[] | undefined;

beforeAll(async () => {
  input = await newInput({ partitions, env: { CLOCK: 'fixed:2026-03-10T10:00:00Z' } });
  apps.push(await spawnApp(input.env), await spawnApp(input.env));
  await pollUntil(() => apps.every((app) => assigned(app)?.length === partitions / 2), {
    what: 'two partitions for each',
    timeoutMs: 90_000,
  });
}, 600_000);
afterAll(async () => {
  for (const { process: child } of apps) signal(child.pid, 'SIGCONT');
  await Promise.all(apps.map((app) => app.process.stop()));
  await input?.close();
}, 300_000);

/** Only processes that this spec started are in `apps`. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  const isOurs = apps.some((app) => app.process.pid === pid);
  if (!isOurs) throw new Error(`${pid} is no aggregator of this spec`);
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}

describe('two aggregators of one group', () => {
  let term = 0;
  let leader = 0;

  it('store every leg once, and one of them publishes', async () => {
    await produce();
    ({ term, pid: leader } = await untilComplete());
    expect(apps.map((app) => app.process.pid)).toContain(leader);
    expect(await input.store.query(ledgerTotals, {})).toEqual([
      { legs: produced, jetton_transactions: produced, pool_transactions: produced },
    ]);
  }, 480_000);

  it('go on with the other leading when the leader stalls; it publishes nothing of what came meanwhile in its old term when it wakes up', async () => {
    const stalled = apps.find((app) => app.process.pid === leader);
    signal(leader, 'SIGSTOP');
    await produce();
    const next = await untilComplete(term);
    expect(next.pid).not.toBe(leader);
    const before = stalled?.log.length ?? 0;
    signal(leader, 'SIGCONT');
    await pollUntil(() => stalled?.log.slice(before).some(({ msg }) => msg === 'partitions assigned'), {
      what: 'the return to the group',
      timeoutMs: takeoverMs,
    });
    ({ term, pid: leader } = await untilComplete());
    expect(term).toBeGreaterThanOrEqual(next.term);
  }, 600_000);

  it('go on with the other when the leader is killed: a greater term finishes what it left', async () => {
    await produce();
    signal(leader, 'SIGKILL');
    await produce();
    const next = await untilComplete(term);
    expect(next.pid).not.toBe(leader);
    expect(next.term).toBeGreaterThan(term);
    expect(await input.store.query(ledgerTotals, {})).toEqual([
      { legs: produced, jetton_transactions: produced, pool_transactions: produced },
    ]);
  }, 600_000);

  it('published one after the other: no snapshot of a term tells of more of the feed than the first of the next one', async () => {
    // A snapshot that its leader was about to publish when it stalled may still come: of what was there before.
    const published = [...Map.groupBy(await input.store.query(markers, {}), (marker) => marker.term).values()];
    expect(published.length).toBeGreaterThan(2);
    for (const [former, next] of published.slice(1).map((list, index) => [published[index] ?? [], list] as const)) {
      const told = Math.max(...former.map(({ position }) => position));
      expect(told).toBeLessThanOrEqual(Math.min(...next.map(({ position }) => position)));
    }
  }, 180_000);
});
