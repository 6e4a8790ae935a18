import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openMarket } from './market-file.js';

const nowMs = Date.UTC(2026, 10, 21, 12);
const wishes = { seed: 3, historyTrades: 300, jettons: 10 };

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'market-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('openMarket', () => {
  it('is saved before anything is sent: a history that was cut short comes out the same later', async () => {
    const first = await openMarket(folder, wishes, nowMs);
    const records = first.market.advance(nowMs, 10_000);
    const second = await openMarket(folder, {}, nowMs + 60_000);
    expect([first.isResumed, second.isResumed]).toEqual([false, true]);
    expect(records.length).toBeGreaterThan(300);
    expect(second.market.advance(nowMs, 10_000)).toEqual(records);
  });

  it('ends its history so that the last record is due now', async () => {
    const { market } = await openMarket(undefined, { ...wishes, delayMs: 500 }, nowMs);
    expect(market.options.historyEndMs).toBe(nowMs - 500);
  });

  it('goes on from what was saved last, at another rate where one is asked for', async () => {
    const { market, save } = await openMarket(folder, wishes, nowMs);
    market.advance(nowMs + 60_000, 10_000);
    await save();
    const { market: again } = await openMarket(folder, { ratePerSecond: 100 }, nowMs + 60_000);
    const due = again.tradesDue(nowMs + 160_000);
    expect(due).toBeGreaterThan(9000);
    expect(due).toBeLessThan(11_000);
  });

  it('says which wish the saved market does not fit, and that a broken file can be removed', async () => {
    await openMarket(folder, wishes, nowMs);
    await expect(openMarket(folder, { seed: 4 }, nowMs)).rejects.toThrow(/has seed 3, not 4/);
    await expect(openMarket(folder, { seed: 3 }, nowMs)).resolves.toMatchObject({ isResumed: true });
    await writeFile(join(folder, 'simulated-market.json'), '{"format":2}');
    await expect(openMarket(folder, {}, nowMs)).rejects.toThrow(/remove it to begin a new one/);
  });

  it('says in one sentence that there can be no such market', async () => {
    await expect(openMarket(undefined, { historyEndMs: 5 }, nowMs)).rejects.toThrow(/historyEndMs/);
  });
});
