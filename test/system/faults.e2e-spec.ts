import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyBuilt, type BuiltCopy } from './src/faults/built-copy.js';
import { residentBytesMax, shortRun } from './src/faults/fault-options.js';
import { runFaults, type FaultReport } from './src/faults/run-faults.js';
import { sharedStores, type Stores } from './src/faults/stores.js';
import { chooseSeed } from './src/support/seed.js';

const seed = chooseSeed();
const tell = (line: string) => void process.stderr.write(`${line}\n`);

describe(`three aggregators that are killed, stopped and cut off from their stores, seed ${seed}`, () => {
  let built: BuiltCopy;
  let stores: Stores;
  let report: FaultReport;

  beforeAll(async () => {
    tell(`fault suite of seed ${seed}; SEED=${seed} repeats its feed and its order of faults`);
    built = copyBuilt();
    stores = await sharedStores();
    report = await runFaults({ ...shortRun, seed }, { root: built.root, stores, tell });
  }, 600_000);
  afterAll(() => built?.remove());

  it('lose nothing and double nothing: every field of every bucket, snapshot and rollup record is the oracle’s', () => {
    const { findings, produced } = report;
    expect(findings.examples).toEqual([]);
    expect(findings.differences).toEqual({});
    expect(produced.inLog).toBeGreaterThanOrEqual(produced.acknowledged);
    // Every table and topic was compared, and with enough in it.
    expect(Object.keys(findings.rows)).toHaveLength(20);
    const { 'dlq list': listed, ...compared } = findings.rows;
    expect(listed).toBe(1);
    expect(Math.min(...Object.values(compared))).toBeGreaterThan(10);
    expect(findings.rows['pool_trades_per_minute_v1']).toBeGreaterThan(1_000);
  });

  it('leave the query apps answering, with the age of their figures, whatever is away', () => {
    expect(report.watch?.examples).toEqual([]);
    expect(report.watch?.answered).toBeGreaterThan(50);
    expect([...(report.watch?.answeredDuring.keys() ?? [])].some((matter) => matter !== 'no outage')).toBe(true);
  });

  it('keep their memory under its bound', () => {
    expect(report.group.residentBytesMax).toBeGreaterThan(0);
    expect(report.group.residentBytesMax).toBeLessThan(residentBytesMax);
  });

  it('were killed at named steps, and their stores were away', () => {
    const { group, faults } = report;
    expect([...group.kills.keys()].filter((step) => step !== 'a random moment').length).toBeGreaterThan(0);
    expect(faults.rebuilds).toBe(1);
    expect([...faults.outages.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    // Told, not judged: an end while a store is silent may outlast its grace.
    for (const end of group.badTerminations) tell(`ended otherwise after SIGTERM: ${end}`);
  });
});
