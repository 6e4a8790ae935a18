import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JettonStatistics, MarketStatistics, Problem, ServiceStatus } from '@jetton-analytics/common';
import { toUserFriendly } from '@jetton-analytics/feed';
import { formatInstant, windowsA, windowsB } from '@jetton-analytics/figures';
import { at, calculatedAt, first, keyed, silent, startOverChanges, unknown } from './changed-jettons.js';
import { amount, amountChange, countChange, priceChange, scaledUp } from './naive.js';
import { poolOf, type SeededMarket } from './seeded-market.js';
import type { RunningStatistics } from './start-statistics.js';

let market: SeededMarket;
let app: RunningStatistics;
const quiet = { address: `0:${'e5'.repeat(32)}`, metadata: {}, liquidityUsd: '10' };

beforeAll(async () => {
  ({ market, app } = await startOverChanges((seeded) => seeded.facts([quiet])));
}, 480_000);
afterAll(async () => {
  await app?.app.close();
  await market?.close();
});

const asOf = formatInstant(calculatedAt.long);
const problemOf = async (path: string) => Problem.parse(await (await app.get(path)).json());

describe('operation 6', () => {
  it('agrees with a naive recomputation from the figures', async () => {
    const { windows } = first;
    const counts = (name: 'traders' | 'tradersBuy' | 'tradersSell' | 'transactionsBuy' | 'transactionsSell') =>
      keyed(windowsB, (window) => countChange(...windows(window)[name], at(window)));
    const prices = (name: 'priceTon' | 'priceUsd') =>
      keyed(windowsA, (window) => priceChange(...windows(window)[name], at(window)));
    const volumes = (...sides: readonly ('volumeUsdBuy' | 'volumeUsdSell')[]) =>
      keyed(windowsB, (window) => {
        const sum = (half: 0 | 1) => sides.reduce((total, side) => total + scaledUp(windows(window)[side][half]), 0n);
        return amountChange(amount(sum(0), 6), amount(sum(1), 6), at(window));
      });
    const response = await app.get(`/v1/jettons/${first.address}/stats`);
    expect(response.headers.get('x-data-as-of')).toBe(asOf);
    expect(JettonStatistics.parse(await response.json())).toEqual({
      address: first.address,
      priceChange: { ton: prices('priceTon'), usd: prices('priceUsd') },
      traders: counts('traders'),
      tradersBuy: counts('tradersBuy'),
      tradersSell: counts('tradersSell'),
      transactions: keyed(windowsB, (window) => {
        const { transactionsBuy, transactionsSell } = windows(window);
        const sum = (half: 0 | 1) => String(BigInt(transactionsBuy[half]) + BigInt(transactionsSell[half]));
        return countChange(sum(0), sum(1), at(window));
      }),
      transactionsBuy: counts('transactionsBuy'),
      transactionsSell: counts('transactionsSell'),
      volume: {
        usd: volumes('volumeUsdBuy', 'volumeUsdSell'),
        buyUsd: volumes('volumeUsdBuy'),
        sellUsd: volumes('volumeUsdSell'),
      },
    });
  });

  it('answers 304 to whoever has it, in whatever encoding', async () => {
    const etag = (await app.get(`/v1/jettons/${first.address}/stats`)).headers.get('etag') ?? '';
    const friendly = toUserFriendly(first.address, { bounceable: true });
    const again = await app.get(`/v1/jettons/${friendly}/stats`, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.headers.get('etag'), again.headers.get('x-data-as-of')]).toEqual([304, etag, asOf]);
  });

  it('knows a jetton from its metadata alone, and no other', async () => {
    const known = await app.get(`/v1/jettons/${silent.address}/stats`);
    expect(JettonStatistics.parse(await known.json()).transactions.month).toMatchObject({ current: '0' });
    expect((await problemOf(`/v1/jettons/${unknown}/stats`)).detail).toBe('no such jetton');
    expect((await problemOf(`/v1/jettons/0:${'00'.repeat(32)}/stats`)).status).toBe(404);
  });

  it('refuses parameters and malformed addresses, all at once', async () => {
    const { status, details } = await problemOf('/v1/jettons/abc/stats?currency=usd&_=1');
    expect([status, details.map(({ field, reason }) => `${field} ${reason}`)]).toEqual([
      400,
      ['address MALFORMED_ADDRESS', 'currency UNKNOWN_FIELD'],
    ]);
  });
});

describe('operation 7', () => {
  it('gives zeros for a market that only its state names', async () => {
    const response = await app.get(`/v1/jettons/${quiet.address}/markets/${poolOf(quiet.address)}/stats`);
    expect(response.status).toBe(200);
    const body = MarketStatistics.parse(await response.json());
    expect(body.transactions.month).toEqual({ changePercent: 0, previous: '0', current: '0', calculatedAt: asOf });
  });

  it('tells an unknown jetton from a pool that is no market of it', async () => {
    const pool = poolOf(quiet.address);
    expect((await problemOf(`/v1/jettons/${unknown}/markets/${pool}/stats`)).detail).toBe('no such jetton');
    const foreign = await problemOf(`/v1/jettons/${first.address}/markets/${pool}/stats`);
    expect([foreign.status, foreign.detail]).toEqual([404, 'the pool is not a market of this jetton']);
  });

  it('refuses both addresses at once', async () => {
    const { details } = await problemOf('/v1/jettons/x/markets/y/stats');
    expect(details.map(({ field }) => field)).toEqual(['address', 'poolAddress']);
  });
});

describe('/v1/status', () => {
  it('tells the calculatedAt of every window, is never cached and takes no parameter', async () => {
    const response = await app.get('/v1/status');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { windows } = ServiceStatus.parse(await response.json());
    expect(Object.keys(windows)).toEqual([...windowsA]);
    for (const window of windowsA) expect(windows[window]?.calculatedAt).toBe(at(window));
    expect((await problemOf('/v1/status?verbose=1')).status).toBe(400);
  });
});
