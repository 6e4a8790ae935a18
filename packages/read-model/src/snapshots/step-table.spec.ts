import { describe, expect, it } from '@jest/globals';
import { array, assert, bigInt, boolean, integer, property, record } from 'fast-check';
import { StepBuild, type StepTable } from './step-table.js';

const marker = { term: 1, step: 'short', version: 9n, calculatedAt: 0, asOf: 0, inputPosition: '0' } as const;
const row = (jetton: string, version: bigint, figures: string, known = true) => ({ jetton, version, known, figures });

const marketsOf = ({ markets }: StepTable) => new Map([...markets].map(([jetton, pools]) => [jetton, new Map(pools)]));

describe('StepBuild', () => {
  it('makes the same table anew and by moving an empty one on: of each key the newest row', () => {
    const keys = integer({ min: 0, max: 5 }).map((number) => `k${number}`);
    const rows = array(record({ jetton: keys, pool: keys, version: bigInt(1n, 6n), known: boolean() }), {
      maxLength: 60,
    });
    assert(
      property(rows, (drawn) => {
        // One row of one version: a key is written once by a snapshot.
        const given = drawn.map((one) => ({ ...one, figures: `${one.jetton} ${one.version}` }));
        const once = (key: (one: (typeof given)[number]) => string) => [
          ...new Map(given.map((one) => [`${key(one)} ${one.version}`, one])).values(),
        ];
        const fill = (base: StepTable | undefined) => {
          const build = new StepBuild(1, base);
          build.addJettons(once((one) => one.jetton));
          build.addMarkets(once((one) => `${one.jetton}|${one.pool}`));
          return build.publish(marker);
        };
        const empty = { marker: { ...marker, version: 0n }, jettons: new Map(), markets: new Map(), marketCount: 0 };
        const anew = fill(undefined);
        const moved = fill(empty);
        expect(anew).toEqual({ ...moved, markets: anew.markets });
        expect(marketsOf(anew)).toEqual(marketsOf(moved));
        const newest = Map.groupBy(
          once((one) => one.jetton),
          (one) => one.jetton,
        );
        const expected = [...newest].flatMap(([key, of]) => {
          const last = of.reduce((best, one) => (one.version > best.version ? one : best));
          return last.known ? [[key, last.figures] as const] : [];
        });
        expect(new Map(anew.jettons)).toEqual(new Map(expected));
        expect(anew.marketCount).toBe([...anew.markets.values()].reduce((sum, pools) => sum + pools.size, 0));
      }),
    );
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
    expect(marketsOf(moved).get('a')).toEqual(new Map([['p', '2']]));
    expect(base.marker.version).toBe(9n);
  });
});
