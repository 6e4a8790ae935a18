import { describe, expect, it } from '@jest/globals';
import { figuresText } from '../../test/figures-text.js';
import { ModelUnderTest, standardHash } from '../../test/model-of.js';
import { lsd, nativeAddress, otherStable, poolState, rawAddress, stable } from '../../test/pool-state.js';

const a = rawAddress('a1');
const b = rawAddress('a2');
const t = 1_700_000_000;
const day = 86_400;

const priced = (ton: string, usd: string) =>
  figuresText('short', { priceTon: [ton, '0'], priceUsd: [usd, '0'] }, [t - 60, t - 120]);

function begun(settings: Readonly<Record<string, string>> = {}): ModelUnderTest {
  const under = new ModelUnderTest(settings);
  under.begin(t);
  return under;
}

describe('which jettons there are', () => {
  it('is those of metadata and those of trades; one whose trades are retracted and that has no metadata goes', async () => {
    const under = begun();
    under.publish('short', t, { [a]: priced('1', '1'), [b]: priced('1', '1') });
    under.metadata(b);
    under.metadata(rawAddress('a3'), { name: 'C', symbol: 'Ⅽ' });
    const model = await under.derived();
    expect([a, b, rawAddress('a3')].map((address) => model.list.rowOf(address))).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    under.publish('short', t + 2, { [a]: null, [b]: null });
    await under.derived();
    expect([model.row(a), model.figures(a), model.list.rowOf(a)]).toEqual([undefined, undefined, undefined]);
    expect(model.row(b)?.price).toBeUndefined();
    expect(model.figures(b)).toEqual({ short: undefined, mid: undefined, long: undefined });
  });

  it('never holds native, whatever metadata and trades say', async () => {
    const under = begun();
    under.metadata(nativeAddress, { name: 'TON' });
    under.publish('short', t, { [nativeAddress]: priced('1', '1') });
    const model = await under.derived();
    expect([model.row(nativeAddress), model.list.size]).toEqual([undefined, 0]);
    expect(model.marketPools(nativeAddress)).toEqual([]);
  });

  it('gives a jetton that comes back its row again, and nobody else', async () => {
    const under = begun();
    under.publish('short', t, { [a]: priced('1', '1') });
    const { list } = await under.derived();
    const row = list.rowOf(a) ?? -1;
    under.publish('short', t, { [a]: null, [b]: priced('1', '1') });
    await under.derived();
    expect([list.isRow(row), list.address(row), list.exact('trustScore', row)]).toEqual([false, a, undefined]);
    expect(list.rowOf(b)).not.toBe(row);
    under.publish('short', t, { [a]: priced('1', '1') });
    await under.derived();
    expect(list.rowOf(a)).toBe(row);
  });
});

describe('a record', () => {
  it('has everything at its default where nothing is known', async () => {
    const under = begun();
    under.metadata(a);
    const record = (await under.derived()).row(a);
    expect(record).toMatchObject({
      address: a,
      metadata: { name: '', symbol: '', links: [], mintable: false, modifiedContract: false },
      verification: 'JVS_NONE',
      decimals: 9,
      createdAt: 1_600_000_000,
      supply: { totalSupply: 0n, circulatingSupply: 0n, isComplete: false },
      holdersCount: 0n,
    });
    for (const name of ['price', 'priceUsd', 'liquidityUsd', 'tvl', 'fdmc', 'mcap', 'holdersChangedAt'] as const) {
      expect([name, record?.[name]]).toEqual([name, undefined]);
    }
  });

  it('takes decimals of a stable and an LSD from the settings, else from metadata', async () => {
    const under = begun();
    for (const address of [stable, lsd, a]) under.metadata(address, { decimals: 3 });
    const model = await under.derived();
    expect([stable, lsd, a].map((address) => model.row(address)?.decimals)).toEqual([6, 9, 3]);
  });

  it('has caps of the metadata’s supply, of balances only when they are complete', async () => {
    const holders = {
      asset: b,
      version: 1n,
      holders: 2n,
      balanceSum: 5_000n,
      burnedSum: 1_000n,
      topTenSum: 4_000n,
      newestTimestamp: t,
    };
    const seeded = (settings: Readonly<Record<string, string>>) => {
      const under = begun(settings);
      under.metadata(a, { decimals: 0, total_supply: '1000' });
      under.metadata(b, { decimals: 0 });
      under.publish('short', t, { [a]: priced('2', '3000000'), [b]: priced('2', '3000000') });
      under.tables.holders.apply([holders]);
      return under.derived();
    };
    const model = await seeded({});
    expect(model.row(a)).toMatchObject({
      fdmc: { value: '3000000000', decimals: 6 },
      mcap: { value: '3000000000', decimals: 6 },
    });
    expect(model.row(b)).toMatchObject({ supply: { totalSupply: 5_000n, circulatingSupply: 4_000n }, fdmc: undefined });
    const complete = await seeded({ BALANCES_COMPLETE: '1' });
    expect(complete.row(b)).toMatchObject({
      fdmc: { value: '15000000000', decimals: 6 },
      mcap: { value: '12000000000', decimals: 6 },
      holdersCount: 2n,
      holdersChangedAt: t,
    });
  });

  it('was created at created_at, else at the least of update and first trade, else when it was recorded', async () => {
    const under = begun();
    const createdAt = async () => (await under.derived()).row(a)?.createdAt;
    under.publish('short', t, { [a]: priced('1', '1') });
    expect(await createdAt()).toBeUndefined();
    under.tables.firstTrades.apply([{ jetton: a, firstTrade: t - 50 }]);
    expect(await createdAt()).toBe(t - 50);
    under.metadata(a, { earliest_record_s: String(t - 99) });
    expect(await createdAt()).toBe(t - 50);
    under.metadata(a, { earliest_update_s: String(t - 70) });
    expect(await createdAt()).toBe(t - 70);
    under.tables.firstTrades.apply([
      { jetton: a, firstTrade: t - 80 },
      { jetton: a, firstTrade: t - 40 },
    ]);
    expect(await createdAt()).toBe(t - 80);
    under.metadata(a, { created_at_s: String(t - 10), earliest_update_s: String(t - 70) });
    expect(await createdAt()).toBe(t - 10);
  });

  it('is told from the standard code: known and another one is modified, unknown is not', async () => {
    const under = begun();
    under.metadata(a, { code_hash: standardHash });
    under.metadata(b, { code_hash: 'bb'.repeat(32) });
    const model = await under.derived();
    expect([a, b].map((address) => model.row(address)?.metadata.modifiedContract)).toEqual([false, true]);
    const contract = (address: string) =>
      model.trustScore(address)?.parts.find(({ part }) => part === 'contract')?.points;
    expect([a, b].map(contract)).toEqual([5, 0]);
  });

  it('stays the same object until something of it changes', async () => {
    const under = begun();
    under.publish('short', t, { [a]: priced('1', '1') });
    const model = await under.derived();
    const [record, { revision }] = [model.row(a), model];
    under.publish('short', t + 2, { [a]: priced('1', '1') });
    under.tables.labels.apply([{ changeNumber: 1n, address: a, verification: 'JVS_NONE' }]);
    expect((await under.derived()).row(a)).toBe(record);
    expect(model.revision).toBe(revision);
    under.tables.labels.apply([{ changeNumber: 2n, address: a, verification: 'JVS_SCAM' }]);
    expect((await under.derived()).row(a)?.verification).toBe('JVS_SCAM');
    expect(model.revision).toBeGreaterThan(revision);
  });

  it('stays when its new text cannot be read, and that is counted', async () => {
    const under = begun();
    under.publish('short', t, { [a]: priced('5', '5') });
    const record = (await under.derived()).row(a);
    under.publish('short', t, { [a]: 'no figures' });
    expect((await under.derived()).row(a)).toBe(record);
    expect([under.tables.failures, under.errors.length]).toEqual([1, 1]);
  });
});

describe('liquidity', () => {
  it('follows nativeUsd of the first stable that has both prices, through every jetton that rests on it', async () => {
    const under = begun();
    under.metadata(a);
    under.metadata(b);
    under.tables.pools.apply([
      poolState({ pool: 'p', leftAsset: a, reservesRight: 3_000_000_000n, lastUpdated: t - 5 }),
      poolState({ pool: 'q', leftAsset: b, tvlUsd: '7', tvlTon: '2' }),
    ]);
    const model = await under.derived();
    expect([model.nativeUsd, model.row(a)?.liquidityUsd]).toEqual([undefined, undefined]);
    const other = model.row(b);
    expect(other?.liquidityUsd).toEqual({ value: '7000000', decimals: 6 });
    under.publish('short', t, {
      [stable]: figuresText('short', { priceTon: ['0', '0'], priceUsd: ['1000000', '0'] }),
      [otherStable]: figuresText('short', { priceTon: ['200000000', '0'], priceUsd: ['1000000', '0'] }),
    });
    await under.derived();
    expect(model.row(a)).toMatchObject({
      liquidityUsd: { value: '30000000', decimals: 6 },
      tvl: { value: '6000000000', decimals: 9 },
      liquidityChangedAt: t - 5,
    });
    under.publish('short', t + 2, {
      [otherStable]: figuresText('short', { priceTon: ['100000000', '0'], priceUsd: ['1000000', '0'] }),
    });
    await under.derived();
    expect(model.row(a)?.liquidityUsd).toEqual({ value: '60000000', decimals: 6 });
    expect(model.row(b)).toBe(other);
    expect(model.list.exact('liquidityUsd', model.list.rowOf(a) ?? -1)).toBe(60_000_000n);
  });

  it('counts a pool that only trades name', async () => {
    const under = begun();
    under.publish('short', t, { [a]: priced('1', '1') }, { [`${a}|p`]: '[[],""]' });
    under.tables.pools.apply([poolState({ pool: 'p', leftAsset: b, rightAsset: stable, reservesRight: 1_000_000n })]);
    const model = await under.derived();
    expect(model.row(a)?.liquidityUsd).toEqual({ value: '2000000', decimals: 6 });
    under.publish('short', t + 2, {}, { [`${a}|p`]: null });
    await under.derived();
    expect(model.row(a)?.liquidityUsd).toBeUndefined();
  });
});

describe('the trust score', () => {
  it('grows with age as C moves on, without any other change, and is the sum of its parts at every instant', async () => {
    const under = begun();
    under.metadata(a, { created_at_s: String(t) });
    const model = await under.derived();
    const scores: number[] = [];
    for (let days = 0; days <= 180; days += 9) {
      under.publish('short', t + days * day, {});
      await under.derived();
      const score = model.row(a)?.trustScore;
      expect(model.trustScore(a)?.score).toBe(score);
      scores.push(score ?? -1);
    }
    expect(scores.slice(0, 4)).toEqual([0, 1, 1, 2]);
    expect(scores.at(-1)).toBe(10);
  });

  it('counts traders of the day window', async () => {
    const under = begun();
    under.publish('short', t, { [a]: priced('1', '1') });
    under.publish('mid', t, { [a]: figuresText('mid', { day: { traders: '100', buys: '3' } }) });
    const model = await under.derived();
    expect(model.row(a)?.trustScore).toBe(5);
    const row = model.list.rowOf(a) ?? -1;
    expect([model.list.exact('traders24h', row), model.list.exact('transactions24h', row)]).toEqual([100n, 3n]);
    under.publish('mid', t, { [a]: null });
    await under.derived();
    expect([model.row(a)?.trustScore, model.list.exact('traders24h', row)]).toEqual([0, 0n]);
  });
});

describe('columns of lists', () => {
  it('hold a change without a previous price as missing, and zeros where there was nothing', async () => {
    const under = begun();
    under.publish('short', t, { [a]: figuresText('short', { priceTon: ['3', '2'] }), [b]: priced('1', '1') });
    const { list } = await under.derived();
    const [rowA, rowB] = [list.rowOf(a) ?? -1, list.rowOf(b) ?? -1];
    expect(list.exact('tonPriceChangeHour', rowA)).toBe(500_000n);
    expect([list.exact('tonPriceChangeHour', rowB), list.exact('tonPriceChangeMonth', rowB)]).toEqual([
      undefined,
      undefined,
    ]);
    expect([list.exact('volume24h', rowB), list.exact('holders', rowB)]).toEqual([0n, 0n]);
    expect(list.column('fdmc')[rowB]).toBeNaN();
  });

  it('know admin, verification and the folded name and symbol', async () => {
    const under = begun();
    under.metadata(a, { name: 'ΣΊΣΥΦΟΣ', symbol: 'ﬁX', admin: b });
    under.tables.labels.apply([{ changeNumber: 1n, address: a, verification: 'JVS_APPROVED' }]);
    const { list } = await under.derived();
    const row = list.rowOf(a) ?? -1;
    expect([list.admin(row), list.verification(row), list.searchText(row)]).toEqual([
      b,
      'JVS_APPROVED',
      'σίσυφοσ\nfix',
    ]);
  });
});
