import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Currency,
  JettonDetails,
  JettonHolders,
  JettonLiquidity,
  JettonList,
  JettonMetricsAnswer,
  JettonMetricsList,
  JettonPrice,
  JettonTrustScore,
  MarketList,
  PriceChart,
  TransactionList,
} from '@jetton-analytics/common';
import { fiats } from '@jetton-analytics/rates';
import { poolOf, type SeededJetton, SeededMarket, type SeededWindow } from '../../statistics/test/seeded-market.js';
import { type RunningMetrics, startMetrics } from './start-metrics.js';

const usdt = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';
const jettonOf = (index: number) => `0:${index.toString(16).padStart(64, '0')}`;
const admin = `0:${'ad'.repeat(32)}`;
const hourC = Date.UTC(2026, 0, 10, 12) / 1_000;

const zero = ['0', '0'] as const;
const windowOf = (tonPrice: string, usdPrice: string): SeededWindow => ({
  transactionsBuy: ['3', '1'],
  transactionsSell: ['2', '1'],
  traders: ['4', '2'],
  tradersBuy: ['3', '1'],
  tradersSell: ['2', '1'],
  volumeUsdBuy: ['10', '5'],
  volumeUsdSell: ['4', '5'],
  volumeTonBuy: zero,
  volumeTonSell: zero,
  priceTon: [
    [tonPrice, 9],
    [tonPrice, 9],
  ],
  priceUsd: [
    [usdPrice, 6],
    [usdPrice, 6],
  ],
  usdByDay: [],
});

const jettons: SeededJetton[] = [
  {
    address: jettonOf(1),
    windows: () => windowOf('2000000000', '6000000'),
    metadata: { name: 'First', symbol: 'ONE', admin, createdAt: 1_700_000_000, totalSupply: '5000000000000' },
    verification: 'JVS_APPROVED',
    liquidityUsd: '1500.5',
    liquidityTon: '500.25',
    holders: 7,
  },
  { address: jettonOf(2), metadata: { name: '<b>Second</b>', createdAt: 1_700_000_001 } },
  { address: jettonOf(3), windows: () => windowOf('0', '0') },
  { address: usdt, windows: () => windowOf('333333333', '1000000') },
];

describe('the metrics app', () => {
  let market: SeededMarket;
  let app: RunningMetrics;
  beforeAll(async () => {
    market = await SeededMarket.create();
    await market.facts(jettons);
    await market.rates(
      fiats
        .filter((currency) => currency !== 'usd')
        .map((currency) => ({ day: '2026-01-09', currency, rate: { value: 25n, decimals: 1 } })),
    );
    await market.snapshots(jettons, { short: hourC, mid: hourC, long: hourC });
    app = await startMetrics(market.settings);
  }, 480_000);
  afterAll(async () => {
    await app.app.close();
    await market.close();
  });

  const read = async (path: string): Promise<unknown> => {
    const response = await app.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };

  it('answers operation 1 with every known jetton, in the shape of the contract', async () => {
    const list = JettonList.parse(await read('/v1/jettons'));
    expect(new Set(list.jettons.map(({ metadata }) => metadata.address))).toEqual(
      new Set([jettonOf(1), jettonOf(2), jettonOf(3), usdt]),
    );
    expect(list.next).toBeUndefined();
    const first = list.jettons.find(({ metadata }) => metadata.address === jettonOf(1));
    expect(first).toMatchObject({
      metadata: { name: 'First', symbol: 'ONE', decimals: 9, links: [], createdAt: '2023-11-14T22:13:20Z' },
      admin: { address: admin },
      totalSupply: '5000000000000',
      verification: 'JVS_APPROVED',
      price: { value: '2000000000', decimals: 9 },
      priceUsd: { value: '6000000', decimals: 6 },
      holdersCount: '7',
      liquidityUsd: { value: '1500500000', decimals: 6 },
      fdmc: { value: '30000000000', decimals: 6 },
      circulatingSupply: '5000000000000',
    });
    expect(first?.chartPreviews).toHaveLength(6);
    expect(list.addressBook[admin]).toMatchObject({ kind: 'wallet' });
  });

  it('lists requested jettons that it does not know as missing, in the GET and the POST form alike', async () => {
    const unknown = jettonOf(99);
    const asked = `/v1/jettons?address=${jettonOf(1)},${unknown}`;
    const response = await app.post('/v1/jettons', { address: [jettonOf(1), unknown] });
    expect(response.status).toBe(200);
    const posted: unknown = await response.json();
    expect(posted).toEqual(await read(asked));
    expect(posted).toMatchObject({ jettons: [{ metadata: { address: jettonOf(1) } }], missing: [unknown] });
  });

  it('answers operation 2 with the parts whose sum is the trust score', async () => {
    const { details, addressBook } = JettonDetails.parse(await read(`/v1/jettons/${jettonOf(1)}`));
    const sum = details.trustScoreDetails.parts.reduce((total, { points }) => total + Math.round(points * 100), 0);
    expect(details.trustScore).toBe(Math.floor((sum + 50) / 100));
    expect(Object.keys(addressBook)).toEqual([jettonOf(1), admin]);
  });

  it('answers operation 2 for a jetton without a price or metadata with what is always there', async () => {
    const { details } = JettonDetails.parse(await read(`/v1/jettons/${jettonOf(3)}`));
    expect(details).not.toHaveProperty('price');
    expect(details).not.toHaveProperty('admin');
    expect(details).toMatchObject({ totalSupply: '0', holdersCount: '0', mintable: false, chartPreviews: [] });
    expect(details.metadata).toMatchObject({ name: '', symbol: '', decimals: 9 });
  });

  it('answers operation 3 in each of the 54 currencies', async () => {
    for (const currency of Currency.options) {
      const list = JettonMetricsList.parse(
        await read(`/v1/jettons/metrics?address=${jettonOf(1)}&currency=${currency}`),
      );
      const expected = {
        ton: { value: '2000000000', decimals: 9 },
        usd: { value: '6000000', decimals: 6 },
      }[currency as string] ?? { value: '150000000000', decimals: 10 };
      expect([currency, list.items[0]?.priceCurrency]).toEqual([currency, expected]);
    }
  });

  it('answers the single figures of a jetton', async () => {
    const path = `/v1/jettons/${jettonOf(1)}`;
    expect(JettonMetricsAnswer.parse(await read(`${path}/metrics?currency=eur`)).metrics).toMatchObject({
      liquidityCurrency: { value: '3751250000', decimals: 6 },
    });
    expect(JettonPrice.parse(await read(`${path}/price`))).toBeDefined();
    expect(JettonLiquidity.parse(await read(`${path}/liquidity`))).toMatchObject({
      ton: { value: '500250000000', decimals: 9 },
    });
    expect(JettonHolders.parse(await read(`${path}/holders`))).toMatchObject({ value: '7' });
    expect(JettonTrustScore.parse(await read(`${path}/trust-score`))).toMatchObject({ version: 1 });
    expect(MarketList.parse(await read(`${path}/markets`)).markets).toMatchObject([
      { poolAddress: poolOf(jettonOf(1)), counterpart: 'ton', exchangeId: 'dex' },
    ]);
    expect(TransactionList.parse(await read(`${path}/transactions`))).toEqual({ transactions: [] });
    expect(PriceChart.parse(await read(`${path}/price/chart`))).toEqual({ points: [] });
  });

  it('gives the markets of one exchange where that is asked', async () => {
    const path = `/v1/jettons/${jettonOf(1)}/markets`;
    const poolsOf = async (query: string) =>
      MarketList.parse(await read(`${path}${query}`)).markets.map(({ poolAddress }) => poolAddress);
    expect(await poolsOf('?exchangeId=dex')).toEqual([poolOf(jettonOf(1))]);
    expect(await poolsOf('?exchangeId=another')).toEqual([]);
  });

  it('answers the previews that a jetton links to with an image', async () => {
    const { details } = JettonDetails.parse(await read(`/v1/jettons/${jettonOf(1)}`));
    for (const { url } of details.chartPreviews) {
      const response = await app.get(url.replace('https://jettons.example', ''));
      expect([url, response.status, response.headers.get('content-type')]).toEqual([
        url,
        200,
        'image/svg+xml; charset=utf-8',
      ]);
      expect(await response.text()).toMatch(/^<svg /);
    }
  });

  it('answers an unknown jetton with 404 and a wrong word in a preview with 400', async () => {
    expect((await app.get(`/v1/jettons/${jettonOf(99)}`)).status).toBe(404);
    expect((await app.get(`/v1/jettons/${jettonOf(1)}/chart-previews/price-year-dark.svg`)).status).toBe(400);
  });

  it('answers 304 to whoever has the newest answer', async () => {
    const response = await app.get(`/v1/jettons/${jettonOf(1)}`);
    const again = await app.get(`/v1/jettons/${jettonOf(1)}`, { 'if-none-match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(again.headers.get('x-data-as-of')).toBe('2026-01-10T12:00:00Z');
  });
});

describe('the metrics app without PostgreSQL', () => {
  it('is live, not ready, and silent about where it looked', async () => {
    const lonely = await startMetrics({ DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/none' }, { isReady: false });
    expect((await lonely.get('/livez')).status).toBe(200);
    const response = await lonely.get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toMatch(/secret|127\.0\.0\.1/);
    await lonely.app.close();
  });
});
