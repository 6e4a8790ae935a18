import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyBuilt, type BuiltCopy } from './src/faults/built-copy.js';
import { graceMs, runSigterms, type SigtermReport } from './src/faults/run-sigterms.js';
import { sharedStores } from './src/faults/stores.js';
import { chooseSeed } from './src/support/seed.js';

const seed = chooseSeed();
const times = 3;
const tell = (line: string) => void process.stderr.write(`${line}\n`);

describe(`SIGTERM under load, seed ${seed}`, () => {
  let built: BuiltCopy;
  let report: SigtermReport;

  beforeAll(async () => {
    built = copyBuilt();
    const stores = await sharedStores();
    report = await runSigterms({ seed, times, recordsPerSecond: 150 }, { root: built.root, stores, tell });
  }, 600_000);
  afterAll(() => built?.remove());

  it('ends an aggregator well and within its grace, and nothing comes again but the batch in hand', () => {
    const { aggregators, deliveries } = report;
    expect([...aggregators.badTerminations, ...aggregators.crashes]).toEqual([]);
    expect(aggregators.terminations).toBe(times);
    expect(aggregators.slowestTerminationMs).toBeLessThan(graceMs);
    expect(deliveries.batches).toBeGreaterThan(10);
    expect(deliveries.beyondBatchInHand).toBe(0);
  });

  it('ends a gateway well, and no request fails meanwhile', () => {
    const { gateways } = report;
    expect(gateways.examples).toEqual([]);
    expect(gateways.badTerminations).toEqual([]);
    expect(gateways.terminations).toBe(times);
    expect(gateways.answered).toBeGreaterThan(100);
  });

  it('loses and doubles nothing: every minute is the oracle’s', () => {
    expect(report.findings.examples).toEqual([]);
    expect(report.findings.rows['pool_trades_per_minute_v1']).toBeGreaterThan(100);
  });
});
