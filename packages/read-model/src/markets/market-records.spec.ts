import { describe, expect, it } from '@jest/globals';
import { marketText } from '../../test/figures-text.js';
import { ModelUnderTest } from '../../test/model-of.js';
import { poolState, rawAddress, stable } from '../../test/pool-state.js';

const a = rawAddress('a1');
const t = 1_700_000_000;

async function modelWith(markets: Readonly<Record<string, string | null>>, states: Parameters<typeof poolState>[0][]) {
  const under = new ModelUnderTest();
  under.begin(t);
  under.metadata(a);
  under.publish('short', t, {}, markets);
  under.tables.pools.apply(states.map((state) => poolState(state)));
  return under.derived();
}

describe('the markets of a jetton', () => {
  it('are the pools of its trades and those whose state names it, each with what is known of it', async () => {
    const model = await modelWith({ [`${a}|p`]: marketText('5', stable), [`${a}|q`]: marketText('0', '') }, [
      { pool: 'p', rightAsset: stable, reservesRight: 1_500_000n, discoveredAt: t - 9 },
      { pool: 'r', project: '', tvlUsd: '3', tvlTon: '1', isLiquid: false },
      { pool: 'other', leftAsset: rawAddress('a2') },
    ]);
    expect(model.markets(a)).toEqual([
      {
        poolAddress: 'p',
        counterpart: stable,
        exchangeId: 'dedust',
        createdAt: t - 9,
        liquidityUsd: { value: '3000000', decimals: 6 },
        liquidityTon: undefined,
        price: { value: '5', decimals: 9 },
      },
      {
        poolAddress: 'q',
        counterpart: undefined,
        exchangeId: '',
        createdAt: undefined,
        liquidityUsd: undefined,
        liquidityTon: undefined,
        price: undefined,
      },
      {
        poolAddress: 'r',
        counterpart: 'ton',
        exchangeId: '',
        createdAt: undefined,
        liquidityUsd: { value: '0', decimals: 6 },
        liquidityTon: { value: '0', decimals: 9 },
        price: undefined,
      },
    ]);
  });

  it('answer for a pool that only its state names with empty figures, for any other pool not at all', async () => {
    const model = await modelWith({}, [{ pool: 'r' }, { pool: 'other', leftAsset: rawAddress('a2') }]);
    expect(model.market(a, 'r')).toEqual({ short: undefined, mid: undefined, long: undefined });
    expect([model.market(a, 'other'), model.marketRecord(a, 'other')]).toEqual([undefined, undefined]);
    expect(model.markets(rawAddress('a2'))).toEqual([]);
  });
});
