import { afterEach, describe, expect, it } from '@jest/globals';
import { PartitionWatermark } from '@jetton-analytics/common';
import { systemClock } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { address, nativeAddress } from './feed-messages.js';
import { type Input, newInput } from './input.js';
import { inputStatus, markers, terms } from './ledger.js';
import { type RunningApp, startApp } from './running-app.js';
import { publishedRows, windowOf } from './snapshot-view.js';

const jetton = address('jetton');
const pool = address('pool');
const buy = (tx: string, eventTime: number) => ({ tx, eventTime, sold: nativeAddress, bought: jetton, pool });
const nowS = () => Math.floor(systemClock.now() / 1_000);

const open: { input?: Input; app?: RunningApp } = {};
afterEach(async () => {
  await open.app?.close();
  await open.input?.close();
  delete open.app;
  delete open.input;
}, 300_000);

async function newOpenInput(env: Record<string, string> = {}, partitions = 1): Promise<Input> {
  open.input = await newInput({ env, partitions });
  return open.input;
}

async function restart(input: Input, env: Record<string, string> = {}): Promise<RunningApp> {
  await open.app?.close();
  open.app = await startApp({ ...input.env, ...env });
  return open.app;
}

/** Buys of the jetton in min15 as published last: C, current and previous. */
async function min15(input: Input): Promise<{ c: number; current: string; previous: string } | undefined> {
  const newest = async () => (await input.store.query(markers, {})).findLast(({ step }) => step === 'short');
  const marker = await newest();
  if (marker === undefined) return undefined;
  const rows = await publishedRows(input.store, marker.term, 'short');
  // Rows published in between belong to another C.
  if ((await newest())?.calculated_at_s !== marker.calculated_at_s) return undefined;
  const window = windowOf(rows.get(`${jetton.toLowerCase()}|`), 'min15');
  if (window === undefined) return undefined;
  return { c: marker.calculated_at_s, current: String(window[0]), previous: String(window[1]) };
}

const untilMin15 = (input: Input, current: string, previous: string) =>
  pollUntil(
    async () => {
      const known = await min15(input);
      return known?.current === current && known.previous === previous && known;
    },
    { what: `min15 with ${current} and before it ${previous}`, timeoutMs: 60_000 },
  );

describe('with CLOCK=wall', () => {
  it('"consumed up to" and T follow the broker’s clock without any trade, and windows decay with them', async () => {
    const input = await newOpenInput({ CLOCK: 'wall' }, 2);
    const records = input.follow(input.watermarkTopic);
    await restart(input);
    const statusOf = async () => (await inputStatus(input.store, input.tradesTopic))?.asOf ?? 0;
    const firstT = await pollUntil(async () => (await statusOf()) > 0 && statusOf(), {
      what: 'T of an empty topic',
      timeoutMs: 60_000,
    });
    // A trade that leaves min15 fifteen seconds from now.
    const eventTime = nowS() - 900 + 15;
    await input.produce([buy('leaving', eventTime)]);
    const inside = await untilMin15(input, '1', '0');
    expect(inside.c).toBeLessThanOrEqual(eventTime + 900);
    const left = await untilMin15(input, '0', '1');
    expect(left.c).toBeGreaterThan(eventTime + 900);
    expect(await statusOf()).toBeGreaterThan(firstT);

    const watermarks = records.map(({ key, value, timestamp }) => ({
      key: key?.toString(),
      appendedMs: timestamp,
      watermark: PartitionWatermark.strict().parse(JSON.parse(value?.toString() ?? '')),
    }));
    for (const partition of [0, 1]) {
      const own = watermarks.filter(
        ({ watermark }) => watermark.topic === input.tradesTopic && watermark.partition === partition,
      );
      expect(new Set(own.map(({ key }) => key))).toEqual(new Set([`${input.tradesTopic}|${partition}`]));
      // Of partition 1, which has no record at all, every value is an instant of the broker's clock.
      const consumedUpTo = own.map(({ watermark }) => watermark.consumedUpToMs).filter((ms) => ms !== null);
      expect(new Set(consumedUpTo).size).toBeGreaterThan(3);
      for (const { watermark, appendedMs } of own) {
        expect(watermark.consumedUpToMs ?? 0).toBeLessThanOrEqual(appendedMs);
      }
    }
    const idle = watermarks
      .map((one) => one.watermark)
      .filter(({ topic, partition }) => topic === input.tradesTopic && partition === 1);
    const instants = idle.map(({ consumedUpToMs }) => consumedUpToMs ?? 0);
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    expect(idle.at(-1)).toMatchObject({ position: '0', endOffset: '0', maxEventTime: null });
  }, 150_000);
});

describe('with CLOCK=fixed', () => {
  const at = Date.UTC(2026, 2, 10, 10, 0, 7) / 1_000;

  it('a changed ledger makes a new snapshot of the same C', async () => {
    const input = await newOpenInput({ CLOCK: 'fixed:2026-03-10T10:00:07Z' });
    await input.produce([buy('one', at - 1)]);
    await restart(input);
    expect(await untilMin15(input, '1', '0')).toMatchObject({ c: at });
    await input.produce([buy('two', at - 900), buy('three', at), buy('four', at - 901)]);
    expect(await untilMin15(input, '2', '1')).toMatchObject({ c: at });
    const versions = (await input.store.query(markers, {})).filter(({ step }) => step === 'short');
    expect(versions.length).toBeGreaterThan(1);
    expect(new Set(versions.map(({ calculated_at_s }) => calculated_at_s))).toEqual(new Set([at]));
  }, 480_000);

  it('at another instant, also an earlier one, everything is calculated anew in a term of its own', async () => {
    const input = await newOpenInput();
    await input.produce([buy('one', at - 1)]);
    let term = 0;
    for (const { clock, current, previous } of [
      { clock: 'fixed:2026-03-10T10:00:07Z', current: '1', previous: '0' },
      { clock: 'fixed:2026-03-10T10:15:06Z', current: '1', previous: '0' },
      { clock: 'fixed:2026-03-10T10:15:07Z', current: '0', previous: '1' },
      { clock: 'fixed:2026-03-10T10:00:07Z', current: '1', previous: '0' },
    ]) {
      await restart(input, { CLOCK: clock });
      const newest = await pollUntil(
        async () => {
          const stored = (await input.store.query(terms, {})).at(-1);
          return stored !== undefined && stored.term > term && stored;
        },
        { what: 'a term', timeoutMs: 60_000 },
      );
      expect(newest.clock).toBe(clock);
      ({ term } = newest);
      const window = await pollUntil(
        async () =>
          windowOf((await publishedRows(input.store, term, 'short')).get(`${jetton.toLowerCase()}|`), 'min15'),
        { what: 'the snapshot of the term', timeoutMs: 60_000 },
      );
      expect(window.slice(0, 2)).toEqual([current, previous]);
    }
  }, 600_000);
});
