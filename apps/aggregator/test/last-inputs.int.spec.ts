import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import { jettonsPerStatementMax, type LastInputs, readLastInputs } from '../src/snapshots/price-inputs.query.js';
import type { TradeWriter } from '../src/trades/trade-writer.js';
import { address, assets, ledgerTrade, nativeAddress } from './feed-messages.js';
import { newStore } from './store.js';

const anchor = 1_773_103_200;
const jettons = Array.from({ length: 2 * jettonsPerStatementMax }, (_, index) =>
  address(`last inputs ${index}`).toLowerCase(),
);

let store: ClickHouseWriter;
let writer: TradeWriter;

beforeAll(async () => {
  ({ store, writer } = await newStore());
  // Each on a day of its own of the last ten, and every third once more just before the anchor.
  const trades = jettons.flatMap((jetton, index) =>
    [anchor - 1 - (index % 10) * 86_400, ...(index % 3 === 0 ? [anchor - 120] : [])].map((eventTime, nth) =>
      ledgerTrade({
        tx: `${index} ${nth}`,
        eventTime,
        sold: nativeAddress,
        bought: jetton,
        pool: address(`pool of ${index % 700}`),
      }),
    ),
  );
  const legs = trades.flatMap((trade) => legsOf(trade, assets));
  await writer.write({ partition: 0, lastOffset: '1', legs, assertOwned: () => undefined });
}, 480_000);
afterAll(() => store.close());

/** Points and counterparts as texts, in one order. */
async function read(of: readonly string[]): Promise<{ points: string[]; counterparts: string[]; parts: number }> {
  const parts: LastInputs[] = [];
  for await (const part of readLastInputs(store, of, [anchor, anchor - 86_400])) parts.push(part);
  const asked = new Set(of);
  const texts = (rows: readonly { jetton: string }[]) =>
    rows
      .filter(({ jetton }) => asked.has(jetton))
      .map((row) => JSON.stringify(row))
      .toSorted();
  return {
    points: texts(parts.flatMap(({ points }) => points)),
    counterparts: texts(parts.flatMap(({ counterparts }) => counterparts)),
    parts: parts.length,
  };
}

describe('the last inputs of prices', () => {
  it('are the same and each read once, whether jettons are named or are so many that spans are read', async () => {
    const whole = await read(jettons);
    const halves = await Promise.all([
      read(jettons.slice(0, jettonsPerStatementMax)),
      read(jettons.slice(jettonsPerStatementMax)),
    ]);
    expect(whole.points.length).toBeGreaterThan(jettons.length);
    expect(whole.points).toEqual(halves.flatMap(({ points }) => points).toSorted());
    expect(whole.counterparts.length).toBeGreaterThanOrEqual(jettons.length);
    expect(whole.counterparts).toEqual(halves.flatMap(({ counterparts }) => counterparts).toSorted());
  });

  it('are nothing of nobody, and asked of nobody', async () => {
    expect((await read([])).parts).toBe(0);
  });
});
