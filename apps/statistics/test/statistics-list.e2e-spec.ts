import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Order, SortField } from '@jetton-analytics/common';
import { formatInstant } from '@jetton-analytics/figures';
import { pollUntil } from '@jetton-analytics/testing';
import { addressOf, count, inOrder, listedJettons } from './listed-jettons.js';
import { addresses, calculatedAt, jettons, ListedMarket, path } from './listed-market.js';

const stranger = `0:${'ff'.repeat(32)}`;
let listed: ListedMarket;

beforeAll(async () => {
  listed = await ListedMarket.start();
}, 480_000);
afterAll(() => listed?.close());

describe('the order of operation 4', () => {
  it.each(SortField.options.flatMap((sort) => Order.options.map((order) => [sort, order] as const)))(
    'is by %s, %s, over all pages, each jetton once',
    async (sort, order) => {
      expect(await listed.walk(`sort=${sort}&order=${order}`, 10)).toEqual(inOrder(jettons, sort, order));
    },
  );

  it('is by createdAt ascending, 20 on a page, where nothing is asked', async () => {
    const page = await listed.get('');
    expect(addresses(page)).toEqual(inOrder(jettons, 'createdAt', 'asc').slice(0, 20));
    expect(page.next).toBeDefined();
    expect(addresses(await listed.post({}))).toEqual(addresses(page));
    expect(addresses(await listed.get('order=desc'))).toEqual(inOrder(jettons, 'createdAt', 'desc').slice(0, 20));
    expect(addresses(await listed.get('sort=volume24h'))).toEqual(inOrder(jettons, 'volume24h', 'asc').slice(0, 20));
  });
});

describe('the pages of operations 4 and 5', () => {
  it('hold from 1 to 100 items', async () => {
    expect((await listed.get('limit=1')).items).toHaveLength(1);
    const whole = await listed.get('limit=100');
    expect([whole.items.length, whole.next]).toEqual([count, undefined]);
    expect((await listed.post({ limit: 26 })).items).toHaveLength(26);
  });

  it('share cursors: a walk may go on in the other form, with another limit and currency', async () => {
    const first = await listed.get('sort=holders&order=desc&verification=JVS_SCAM,JVS_VERIFIED&limit=3');
    const second = await listed.post({
      sort: 'holders',
      order: 'desc',
      verification: ['JVS_VERIFIED', 'JVS_SCAM'],
      limit: 100,
      currency: 'eur',
      cursor: first.next,
    });
    const expected = jettons.filter(({ verdict }) => verdict === 'JVS_SCAM' || verdict === 'JVS_VERIFIED');
    expect([...addresses(first), ...addresses(second)]).toEqual(inOrder(expected, 'holders', 'desc'));
  });

  it('take an empty cursor for none', async () => {
    expect(addresses(await listed.get('cursor=&limit=5'))).toEqual(addresses(await listed.get('limit=5')));
  });

  it('carry aliases, what to show of each jetton, and the statistics of operation 6', async () => {
    const page = await listed.get('limit=3&sort=liquidityUsd&order=desc');
    const [item] = page.items;
    const shown = jettons.find(({ address }) => address === item?.address);
    expect(Object.keys(page)).toEqual(['items', 'addressBook', 'jettons', 'next']);
    expect(Object.keys(page.addressBook)).toEqual(addresses(page));
    expect(Object.keys(page.jettons)).toEqual(addresses(page));
    expect(page.jettons[item?.address ?? '']).toEqual({
      address: shown?.address,
      name: shown?.metadata?.name,
      symbol: shown?.metadata?.symbol,
      decimals: 9,
      verification: shown?.verdict,
    });
    expect(await (await listed.app.get(`/v1/jettons/${item?.address}/stats`)).json()).toEqual(item);
  });

  it('name the requested jettons that are unknown on every page, native among them, and only where some are named', async () => {
    const asked = [addressOf(1), stranger, addressOf(2), addressOf(3), `0:${'00'.repeat(32)}`].join(',');
    const first = await listed.get(`address=${asked}&limit=2`);
    const second = await listed.get(`address=${asked}&limit=2&cursor=${first.next}`);
    for (const page of [first, second]) expect(page.missing).toEqual([stranger, `0:${'00'.repeat(32)}`]);
    expect(second.next).toBeUndefined();
    expect((await listed.get(`address=${addressOf(1)}`)).missing).toEqual([]);
  });

  it('are as old as the oldest calculatedAt, and answer 304 to whoever has them', async () => {
    const response = await listed.app.get(`${path}?limit=100`);
    expect(response.headers.get('x-data-as-of')).toBe(formatInstant(calculatedAt.long));
    const etag = response.headers.get('etag') ?? '';
    expect((await listed.app.get(`${path}?limit=100`, { 'if-none-match': etag })).status).toBe(304);
    const empty = await listed.app.get(`${path}?search=nothing`);
    expect(empty.headers.get('x-data-as-of')).toBe(formatInstant(calculatedAt.short));
  });
});

describe('a walk while the market moves', () => {
  it('gives each jetton once in the order it began with, with the newest figures', async () => {
    const before = inOrder(jettons, 'volume24h', 'desc');
    const moved = listedJettons(calculatedAt.short, 5);
    const first = await listed.get('sort=volume24h&order=desc&limit=9');
    const later = { short: calculatedAt.short + 120, mid: calculatedAt.mid + 120, long: calculatedAt.long + 120 };
    await listed.market.snapshots(moved, later, 2);
    const now = inOrder(moved, 'volume24h', 'desc');
    await pollUntil(async () => (await listed.walk('sort=volume24h&order=desc', 100)).join() === now.join(), {
      what: 'the new order',
    });
    const rest = await listed.get(`sort=volume24h&order=desc&limit=100&cursor=${first.next}`);
    expect([...addresses(first), ...addresses(rest)]).toEqual(before);
    const [item] = rest.items;
    const figures = moved.find(({ address }) => address === item?.address)?.values.volume24h ?? 0;
    expect(item?.volume.usd.day.current.value).toBe(String(figures * 1_000_000));
    expect(item?.volume.usd.day.calculatedAt).toBe(formatInstant(later.mid));
  }, 180_000);
});
