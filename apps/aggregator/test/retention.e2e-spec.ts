import { afterEach, describe, expect, it } from '@jest/globals';
import { defineQuery } from '@jetton-analytics/clickhouse';
import { systemClock } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { z } from 'zod';
import { address, nativeAddress } from './feed-messages.js';
import { type Input, newInput } from './input.js';
import { markers } from './ledger.js';
import { type RunningApp, startApp } from './running-app.js';
import { publishedRows, windowOf } from './snapshot-view.js';

const daySeconds = 86_400;
const now = Math.floor(systemClock.now() / 1_000);
const jetton = address('jetton');
const buy = (tx: string, daysAgo: number) => ({
  tx,
  eventTime: now - daysAgo * daySeconds,
  sold: nativeAddress,
  bought: jetton,
});
// 1 ton for 2 jettons
const price = ['500000000000', 12];

let input: Input;
let app: RunningApp | undefined;
afterEach(async () => {
  await app?.close();
  await input?.close();
}, 300_000);

async function restart(env: Record<string, string>): Promise<void> {
  await app?.close();
  app = await startApp({ ...input.env, ...env });
}

const ages = defineQuery({
  name: 'ages',
  sql: 'SELECT DISTINCT toUnixTimestamp(event_time) AS event_s FROM jetton_legs_v1 ORDER BY event_s',
  params: z.object({}),
  row: z.object({ event_s: z.int() }),
});
const daysInLedger = async () =>
  (await input.store.query(ages, {})).map(({ event_s }) => Math.round((now - event_s) / daySeconds));

const untilLedgerHolds = (days: readonly number[]) =>
  pollUntil(async () => String(await daysInLedger()) === String(days), {
    what: `a ledger of the days ${days.join(', ')}`,
    timeoutMs: 90_000,
  });

/** The price in ton that the newest term has published of the month window, now and before. */
async function prices(after = 0): Promise<readonly unknown[]> {
  return pollUntil(
    async () => {
      const marker = (await input.store.query(markers, {})).findLast(({ step }) => step === 'long');
      if (marker === undefined || marker.term <= after) return undefined;
      const row = (await publishedRows(input.store, marker.term, 'long')).get(`${jetton.toLowerCase()}|`);
      return windowOf(row, 'month')?.slice(18, 20);
    },
    { what: 'the published price', timeoutMs: 90_000 },
  );
}

describe('LEDGER_RETENTION_DAYS', () => {
  it('drops nothing with CLOCK=event; by T of the wall it drops days, keeps their prices, and refuses what is too late', async () => {
    input = await newInput();
    await input.produce([buy('old', 90), buy('less old', 70)]);
    const env = { LEDGER_RETENTION_DAYS: '62' };
    await restart({ ...env, CLOCK: 'event' });
    await untilLedgerHolds([90, 70]);
    await input.produce([buy('new', 1)]);
    await untilLedgerHolds([90, 70, 1]);
    expect(await prices()).toEqual([price, price]);
    const eventTerm = (await input.store.query(markers, {})).at(-1)?.term ?? 0;

    await restart({ ...env, CLOCK: 'wall' });
    await untilLedgerHolds([1]);
    expect(await prices(eventTerm)).toEqual([price, price]);
    const letters = input.follow(input.deadLetterTopic);
    await input.produce([buy('too late', 61), buy('just in time', 59)]);
    await untilLedgerHolds([59, 1]);
    await pollUntil(() => letters.length > 0, { what: 'the dead letter' });
    expect(letters.map(({ headers }) => headers?.['dlq-reason']?.toString())).toEqual(['too_late']);
  }, 600_000);
});
