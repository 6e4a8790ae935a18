import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import { steps } from '@jetton-analytics/figures';
import { assetFactsOfSettings } from '../src/snapshots/asset-facts.js';
import { edgesOf } from '../src/snapshots/edges.js';
import { readWindowSums } from '../src/snapshots/read-window-sums.js';
import { StepSnapshots } from '../src/snapshots/step-snapshots.js';
import type { TradeWriter } from '../src/trades/trade-writer.js';
import { address, assets, ledgerTrade, nativeAddress } from './feed-messages.js';
import { publishedRows } from './snapshot-view.js';
import { newStore, prices } from './store.js';

// 2026-03-10T09:59:41Z: nineteen seconds before an hour's end.
const c = 1_773_136_781;
// Within a minute, over its end, nowhere, over an hour's end and over many minutes.
const instants = [c, c + 2, c + 7, c + 7, c + 19, c + 75, c + 1_500];
const ages = [-1_500, -76, -75, -30, -19, -8, -7, -6, -3, -2, -1, 0, 1, 2];
const facts = assetFactsOfSettings(assets);
const positions = new Map([[0, '1']]);
const at = (calculatedAt: number) => ({ calculatedAt, asOf: calculatedAt, positions, markedOn: '2026-03-10' });
const leading = () => undefined;

let store: ClickHouseWriter;
let writer: TradeWriter;

beforeAll(async () => {
  ({ store, writer } = await newStore());
  // Around each edge of each step some seconds before and after it, each a jetton and market of its own: what moves its
  // figures is that edge alone, and no price does.
  const edges = new Set(steps.flatMap((step) => edgesOf(step, c)));
  const trades = [...edges].flatMap((edge) =>
    ages.map((age) => {
      const name = `${edge} ${age}`;
      const [jetton, pool] = [address(`jetton ${name}`), address(`pool ${name}`)];
      const unpriced = { volumeUsd: null, volumeTon: null };
      return { tx: name, eventTime: edge - age, sold: nativeAddress, bought: jetton, pool, ...unpriced };
    }),
  );
  // Ahead of every event, as a feed that is behind.
  const legs = trades.flatMap((fields) => legsOf(ledgerTrade(fields, (c + 10_000) * 1_000), assets));
  await writer.write({ partition: 0, lastOffset: '0', legs, assertOwned: leading });
}, 300_000);
afterAll(async () => {
  await store?.close();
});

describe('windows that move on while the ledger stands still', () => {
  it.each(steps.map((step, index) => [step, index + 1] as const))(
    'of the step %s gain and lose each leg at its second, as a calculation from nothing has it',
    async (step, term) => {
      const followed = new StepSnapshots(store, step, term, facts, prices);
      let changes = 0;
      for (const [index, instant] of instants.entries()) {
        const { rows, full } = await followed.take(at(instant), leading);
        expect(full).toBe(index === 0);
        if (index > 0) changes += rows;
        const anew = 100 + 100 * term + index;
        await new StepSnapshots(store, step, anew, facts, prices).take(at(instant), leading);
        const fromNothing = await publishedRows(store, anew, step);
        expect(Object.fromEntries(await publishedRows(store, term, step))).toEqual(Object.fromEntries(fromNothing));
      }
      // Each edge has passed legs of its own.
      expect(changes).toBeGreaterThan(edgesOf(step, c).length * 5);
    },
    480_000,
  );
});

describe('sums of named jettons', () => {
  it('are those of the same jettons among all, whether a statement names them or they are too many for one', async () => {
    const all = await readWindowSums(store, 'long', 'pool', c);
    const [first = '', second = ''] = [...all.keys()].map((key) => key.split('|')[0] ?? '');
    const named = new Set([first, second, 'nobody']);
    const wanted = [...all].filter(([key]) => named.has(key.split('|')[0] ?? ''));
    expect(wanted.length).toBe(2);
    expect(await readWindowSums(store, 'long', 'pool', c, named)).toEqual(new Map(wanted));
    // As many as take several lists, and more than a statement names.
    for (const length of [2_500, 10_000]) {
      const many = new Set([...named, ...Array.from({ length }, (_, index) => `nobody ${index}`)]);
      expect(await readWindowSums(store, 'long', 'pool', c, many)).toEqual(new Map(wanted));
    }
    expect(await readWindowSums(store, 'long', 'pool', c, new Set())).toEqual(new Map());
  }, 300_000);
});
