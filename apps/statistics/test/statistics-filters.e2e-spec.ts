import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Currency, Problem } from '@jetton-analytics/common';
import { cases } from './list-filters.js';
import { addressOf, count, inOrder } from './listed-jettons.js';
import { addresses, jettons, ListedMarket, path } from './listed-market.js';

let listed: ListedMarket;

beforeAll(async () => {
  listed = await ListedMarket.start();
}, 480_000);
afterAll(() => listed?.close());

describe('the filters of operations 4 and 5', () => {
  it.each(cases)('%s', async (_name, query, body, keeps) => {
    const expected = inOrder(jettons.filter(keeps), 'createdAt', 'asc');
    expect(addresses(await listed.get(`${query}&limit=100`))).toEqual(expected);
    expect(addresses(await listed.post({ ...body, limit: 100 }))).toEqual(expected);
  });

  it.each(cases.filter(([name]) => /\.(min|max)$/.test(name)))(
    '%s divides the jettons',
    (_name, _query, _body, keeps) => {
      const kept = jettons.filter(keeps).length;
      expect(kept > 0 && kept < count).toBe(true);
    },
  );

  it.each(Currency.options)('currency %s changes nothing', async (currency) => {
    const plain = await listed.get(`address=${addressOf(3)}`);
    expect(plain.items).toHaveLength(1);
    expect(await listed.get(`address=${addressOf(3)}&currency=${currency}`)).toEqual(plain);
    expect(await listed.post({ address: [addressOf(3)], currency: currency.toUpperCase() })).toEqual(plain);
  });
});

async function violationsOf(response: Promise<Response>): Promise<string[]> {
  const answered = await response;
  expect(answered.status).toBe(400);
  const { details } = Problem.parse(await answered.json());
  return details.map(({ field, reason }) => `${field} ${reason}`).toSorted();
}
const many = (length: number): string[] => Array.from({ length }, (_, index) => `0:${String(index).padStart(64, '0')}`);

/** What is wrong, as query, as body, and the violations of both; of the body where they differ. */
type Refusal = readonly [what: string, query: string, body: object, byQuery: string[], byBody?: string[]];

const refusals: Refusal[] = [
  ['limit 0', 'limit=0', { limit: 0 }, ['limit TOO_SMALL']],
  ['limit 101', 'limit=101', { limit: 101 }, ['limit TOO_LARGE']],
  ['limit 1.5', 'limit=1.5', { limit: 1.5 }, ['limit MALFORMED']],
  ['limit abc', 'limit=abc', { limit: 'abc' }, ['limit MALFORMED'], ['limit WRONG_TYPE']],
  ['limit twice', 'limit=1&limit=1', { limit: [1, 1] }, ['limit DUPLICATE'], ['limit WRONG_TYPE']],
  [
    'a boolean that is none',
    'excludeScam=yes',
    { excludeScam: 'yes' },
    ['excludeScam MALFORMED'],
    ['excludeScam WRONG_TYPE'],
  ],
  ['a search of 2 characters', 'search=ab', { search: 'ab' }, ['search TOO_SHORT']],
  ['a search of 256', `search=${'a'.repeat(256)}`, { search: 'a'.repeat(256) }, ['search TOO_LONG']],
  ['101 addresses', `address=${many(101).join(',')}`, { address: many(101) }, ['address TOO_MANY']],
  ['11 admins', `admin=${many(11).join(',')}`, { admin: many(11) }, ['admin TOO_MANY']],
  ['a malformed admin', 'admin=abc', { admin: ['abc'] }, ['admin[0] MALFORMED_ADDRESS']],
  ['an unknown verdict', 'verification=JVS_GOOD', { verification: ['JVS_GOOD'] }, ['verification[0] UNKNOWN_VALUE']],
  [
    '6 verdicts',
    `verification=${Array(6).fill('JVS_SCAM').join(',')}`,
    { verification: Array(6).fill('JVS_SCAM') },
    ['verification TOO_MANY'],
  ],
  ['an unknown sort field', 'sort=price', { sort: 'price' }, ['sort UNKNOWN_VALUE']],
  ['an unknown order', 'order=up', { order: 'up' }, ['order UNKNOWN_VALUE']],
  ['an unknown currency', 'currency=btc', { currency: 'btc' }, ['currency UNKNOWN_VALUE']],
  [
    'a range that ends before it begins',
    'holders.min=5&holders.max=4',
    { holders: { min: '5', max: '4' } },
    ['holders.min RANGE_EMPTY'],
  ],
  ['a trust score that is none', 'trustScore.max=1.5', { trustScore: { max: '1.5' } }, ['trustScore.max MALFORMED']],
  [
    'a percentage that is none',
    'priceChange.ton.day.min=much',
    { priceChange: { ton: { day: { min: 'much' } } } },
    ['priceChange.ton.day.min MALFORMED'],
  ],
  [
    'a window without a filter',
    'priceChange.ton.month.min=1',
    { priceChange: { ton: { month: { min: 1 } } } },
    ['priceChange.ton.month.min UNKNOWN_FIELD'],
    ['priceChange.ton.month UNKNOWN_FIELD'],
  ],
  [
    'decimals without a value',
    'liquidity.usd.min.decimals=3',
    { liquidity: { usd: { min: { decimals: 3 } } } },
    ['liquidity.usd.min.value REQUIRED'],
  ],
  [
    '256 decimals',
    'fdmc.min.value=1&fdmc.min.decimals=256',
    { fdmc: { min: { value: '1', decimals: 256 } } },
    ['fdmc.min.decimals TOO_LARGE'],
  ],
  ['a negative amount', 'fdmc.max.value=-1', { fdmc: { max: { value: '-1' } } }, ['fdmc.max.value TOO_SMALL']],
  ['a cursor that is none', 'cursor=abc', { cursor: 'abc' }, ['cursor CURSOR_INVALID']],
  [
    'several things at once',
    'liqidity.usd.min.value=1&limit=0&sort=x',
    { liqidity: { usd: { min: { value: '1' } } }, limit: 0, sort: 'x' },
    ['limit TOO_SMALL', 'liqidity.usd.min.value UNKNOWN_FIELD', 'sort UNKNOWN_VALUE'],
    ['limit TOO_SMALL', 'liqidity UNKNOWN_FIELD', 'sort UNKNOWN_VALUE'],
  ],
];

describe('what operations 4 and 5 refuse', () => {
  it.each(refusals)('%s', async (_what, query, body, byQuery, byBody = byQuery) => {
    expect(await violationsOf(listed.app.get(`${path}?${query}`))).toEqual(byQuery);
    expect(await violationsOf(listed.app.post(path, body))).toEqual(byBody);
  });

  it('a cursor of another list, of other filters or in another order', async () => {
    const { next = '' } = await listed.get('limit=5&sort=holders');
    for (const query of ['sort=holders&order=desc', 'sort=tvl', 'sort=holders&excludeScam=1']) {
      expect(await violationsOf(listed.app.get(`${path}?${query}&cursor=${next}`))).toEqual(['cursor CURSOR_MISMATCH']);
    }
  });
});
