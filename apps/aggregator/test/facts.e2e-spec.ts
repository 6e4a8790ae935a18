import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@jetton-analytics/testing';
import { address, nativeAddress } from './feed-messages.js';
import { type Input, newInput } from './input.js';
import { ledgerTotals, markers, terms } from './ledger.js';
import { type RunningApp, startApp } from './running-app.js';
import { publishedRows, type ViewedRow, windowOf } from './snapshot-view.js';
import { metadataMessage, poolMessage } from './state-messages.js';

// 2026-03-10T10:00:00Z
const at = 1_773_136_800;
const [jetton, other] = [address('jetton'), address('other')];
const [pool, silentPool] = [address('pool'), address('silent pool')];

let input: Input;
let app: RunningApp | undefined;
beforeAll(async () => {
  input = await newInput({ env: { CLOCK: 'fixed:2026-03-10T10:00:00Z' } });
}, 480_000);
afterAll(async () => {
  await app?.close();
  await input?.close();
}, 300_000);

const send = (topic: string, message: Record<string, unknown>) =>
  input.producer.send(topic, [{ value: JSON.stringify(message), timestampMs: at * 1_000, partition: 0 }]);

const keyOf = (of: string, market = '') => `${of}|${market}`.toLowerCase();

async function untilRow(key: string, isAwaited: (row: ViewedRow) => boolean, what: string): Promise<ViewedRow> {
  return pollUntil(
    async () => {
      const marker = (await input.store.query(markers, {})).findLast(({ step }) => step === 'mid');
      if (marker === undefined) return undefined;
      const row = (await publishedRows(input.store, marker.term, 'mid')).get(key);
      return row !== undefined && isAwaited(row) && row;
    },
    { what, timeoutMs: 60_000 },
  );
}

const priceTon = (row: ViewedRow) => JSON.stringify(windowOf(row, 'day')?.[18]);

describe('a term of leadership', () => {
  it('begins only when metadata and pools were read once; trades are stored all the while', async () => {
    app = await startApp({ ...input.env, DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/none' });
    // 1 ton for 2 jettons of 9 decimals
    await input.produce([{ tx: 'one', eventTime: at - 60, sold: nativeAddress, bought: jetton, pool }]);
    await pollUntil(async () => (await input.store.query(ledgerTotals, {}))[0]?.pool_transactions === 1, {
      what: 'the trade',
      timeoutMs: 60_000,
    });
    await pollUntil(() => app?.log.some(({ source }) => source === 'metadata'), { what: 'the warning' });
    expect(await input.store.query(terms, {})).toEqual([]);
    await app.close();
    app = await startApp(input.env);
    const row = await untilRow(keyOf(jetton), () => true, 'the first snapshot');
    expect(priceTon(row)).toBe('["500000000000",12]');
  }, 600_000);

  it('reprices a jetton when its metadata tell other decimals, and its markets', async () => {
    await send(input.metadataTopic, metadataMessage({ address: jetton, decimals: 6 }));
    await untilRow(keyOf(jetton), (row) => priceTon(row) === '["500000000000",15]', 'the price with 6 decimals');
    const market = await untilRow(keyOf(jetton, pool), () => true, 'the market');
    expect(windowOf(market, 'day')?.[6]).toEqual(['500000000000', 15]);
    expect(market.counterpart).toBe('ton');
  }, 480_000);

  it('takes the counterpart from the state of the pool, and makes known the markets that states name', async () => {
    await send(input.poolsTopic, poolMessage({ pool, jetton_left: jetton, jetton_right: other }));
    await send(input.poolsTopic, poolMessage({ pool: silentPool, jetton_left: jetton, jetton_right: nativeAddress }));
    const market = await untilRow(
      keyOf(jetton, pool),
      ({ counterpart }) => counterpart === other.toLowerCase(),
      'the counterpart of the state',
    );
    // No leg is against it.
    expect(windowOf(market, 'day')?.[6]).toEqual(['0', 9]);
    expect(windowOf(market, 'day')?.[0]).toBe('1');
    const silent = await untilRow(keyOf(jetton, silentPool), () => true, 'the market without a trade');
    expect(silent.counterpart).toBe('ton');
    expect(windowOf(silent, 'day')?.[0]).toBe('0');
    const mirrored = await untilRow(keyOf(other, pool), () => true, 'the market of the other side');
    expect(mirrored.counterpart).toBe(jetton.toLowerCase());
    expect((await input.store.query(terms, {})).length).toBe(1);
  }, 480_000);
});
