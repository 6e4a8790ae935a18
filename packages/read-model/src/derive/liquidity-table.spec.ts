import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { assets, lsd, poolState, rawAddress, stable } from '../../test/pool-state.js';
import { PoolTable } from '../pools/pool-table.js';
import { addPool, emptyForm, liquidityOfForm } from './liquidity-form.js';
import { LiquidityTable } from './liquidity-table.js';
import { noQuotes, type Quotes } from './quotes.js';

const jettons = [rawAddress('a1'), rawAddress('a2'), stable, lsd];
const pools = ['p1', 'p2', 'p3', 'p4'];
const priced: Quotes = {
  nativeUsd: { numerator: 11n, denominator: 3n },
  lsdUsd: new Map([[lsd, { numerator: 4n, denominator: 1n }]]),
};

type Event =
  | {
      readonly kind: 'state';
      readonly pool: string;
      readonly left: string;
      readonly right: string;
      readonly raw: bigint;
    }
  | { readonly kind: 'markets'; readonly jetton: string; readonly pools: readonly string[] }
  | { readonly kind: 'quotes'; readonly quotes: Quotes };

const asset = fc.constantFrom('ton', '', ...jettons);
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      pool: fc.constantFrom(...pools),
      left: asset,
      right: asset,
      raw: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('markets' as const),
      jetton: fc.constantFrom(...jettons),
      pools: fc.uniqueArray(fc.constantFrom(...pools)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('quotes' as const), quotes: fc.constantFrom(noQuotes, priced) }),
  },
);

describe('the liquidity of jettons', () => {
  it('is that of the pools whose state names them and of those they were traded in, however it came about', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const poolTable = new PoolTable();
        const markets = new Map<string, ReadonlySet<string>>();
        const isMarket = (jetton: string, pool: string) => markets.get(jetton)?.has(pool) ?? false;
        const changed = new Set<string>();
        const table = new LiquidityTable(poolTable, assets, isMarket, (jetton) => changed.add(jetton));
        let quotes = noQuotes;
        let version = 0n;
        for (const one of events) {
          const before = new Map(jettons.map((jetton) => [jetton, table.liquidity(jetton)]));
          changed.clear();
          if (one.kind === 'state') {
            version += 1n;
            const { pool, left, right, raw } = one;
            const sides = { leftAsset: left, rightAsset: right, reservesLeft: raw, reservesRight: raw + 1n };
            // Times rise with versions; the first states say none, and some the same one again.
            const lastUpdated = version < 5n ? 0 : 1_000 + Math.floor(Number(version) / 2);
            poolTable.apply([poolState({ pool, version, lastUpdated, ...sides })]);
          } else if (one.kind === 'markets') {
            markets.set(one.jetton, new Set(one.pools));
            table.setMarkets(one.jetton, one.pools);
          } else {
            quotes = one.quotes;
            table.setQuotes(quotes);
          }
          for (const jetton of jettons) {
            const form = emptyForm();
            const mine = new Set([...poolTable.statesOf(jetton).keys(), ...(markets.get(jetton) ?? [])]);
            for (const pool of mine) {
              const state = poolTable.state(pool);
              if (state !== undefined) addPool(form, state, 1n, assets, quotes);
            }
            const expected = liquidityOfForm(form, quotes);
            expect(table.liquidity(jetton)).toEqual(expected);
            const newest = Math.max(0, ...[...mine].map((pool) => poolTable.state(pool)?.lastUpdated ?? 0));
            expect([jetton, table.changedAt(jetton) ?? 0]).toEqual([jetton, newest]);
            // Whoever changed was told of, or is asked for anew with every price.
            const isTold = changed.has(jetton) || one.kind === 'markets' || table.dependents.has(jetton);
            const isSame = JSON.stringify(before.get(jetton)) === JSON.stringify(expected);
            expect([jetton, isSame || isTold]).toEqual([jetton, true]);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
