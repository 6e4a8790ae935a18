import { describe, expect, it } from '@jest/globals';
import { StepBuild } from './step-table.js';

const marker = { term: 1, step: 'short', version: 9n, calculatedAt: 0, asOf: 0, inputPosition: '0' } as const;
const row = (jetton: string, version: bigint, figures: string, known = true) => ({ jetton, version, known, figures });

describe('StepBuild', () => {
  it('gives the same table however large it is: in slices while requests are answered, or at once', async () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => row(`j${index}`, 1n, `f${index}`, index % 10 !== 0));
    const markets = rows.map((one) => ({ ...one, pool: 'p' }));
    const build = () => {
      const made = new StepBuild(1, undefined);
      made.addJettons(rows);
      made.addMarkets(markets);
      return made;
    };
    const sliced = build();
    let answered = 0;
    const timer = setInterval(() => (answered += 1), 0);
    await sliced.prepare();
    clearInterval(timer);
    expect(answered).toBeGreaterThan(0);
    const table = sliced.publish(marker);
    expect(table).toEqual(build().publish(marker));
    expect([table.jettons.size, table.marketCount, table.markets.size]).toEqual([10_800, 10_800, 10_800]);
  });

  it('keeps the greatest version of a key in whatever order and however often its rows come', () => {
    const build = new StepBuild(1, undefined);
    build.addJettons([row('a', 2n, '2'), row('a', 3n, '3'), row('a', 1n, '1'), row('a', 3n, '3')]);
    build.addJettons([row('b', 5n, '5'), row('b', 6n, '', false)]);
    expect([...build.publish(marker).jettons]).toEqual([['a', '3']]);
  });

  it('moves a table on: changed, new and gone keys, and the count of markets', () => {
    const first = new StepBuild(1, undefined);
    first.addMarkets([
      { ...row('a', 1n, '1'), pool: 'p' },
      { ...row('a', 1n, '1'), pool: 'q' },
    ]);
    const base = first.publish(marker);
    const next = new StepBuild(1, base);
    expect(next.upTo).toBe(9n);
    next.addMarkets([
      { ...row('a', 10n, '2'), pool: 'p' },
      { ...row('a', 10n, '', false), pool: 'q' },
      { ...row('b', 10n, '1'), pool: 'p' },
    ]);
    const moved = next.publish({ ...marker, version: 10n });
    expect(moved.marker.version).toBe(10n);
    expect(moved.marketCount).toBe(2);
    expect(moved.markets.get('a')).toEqual(new Map([['p', '2']]));
    expect(base.marker.version).toBe(9n);
  });
});
