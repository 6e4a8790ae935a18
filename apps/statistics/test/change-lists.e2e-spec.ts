import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PriceChangesList, Problem, TradersChangesList, TransactionCountChangesList } from '@jetton-analytics/common';
import { toUserFriendly } from '@jetton-analytics/feed';
import { formatInstant, windowsA, windowsB } from '@jetton-analytics/figures';
import {
  all,
  at,
  type BusyJetton,
  calculatedAt,
  first,
  keyed,
  second,
  silent,
  startOverChanges,
  unknown,
} from './changed-jettons.js';
import { countChange, priceChange } from './naive.js';
import type { SeededMarket, SeededWindow } from './seeded-market.js';
import type { RunningStatistics } from './start-statistics.js';

let market: SeededMarket;
let app: RunningStatistics;

beforeAll(async () => {
  ({ market, app } = await startOverChanges());
}, 480_000);
afterAll(async () => {
  await app?.app.close();
  await market?.close();
});

const plus = (a: readonly [string, string], b: readonly [string, string]): [string, string] => [
  String(BigInt(a[0]) + BigInt(b[0])),
  String(BigInt(a[1]) + BigInt(b[1])),
];
const counts = (of: (window: SeededWindow) => readonly [string, string], jetton: BusyJetton) =>
  keyed(windowsB, (window) => countChange(...of(jetton.windows(window)), at(window)));
const prices = (of: (window: SeededWindow) => SeededWindow['priceTon'], jetton: BusyJetton) =>
  keyed(windowsA, (window) => priceChange(...of(jetton.windows(window)), at(window)));

const expectedItems = {
  transactions: (jetton: BusyJetton) => ({
    address: jetton.address,
    changes: {
      total: counts(({ transactionsBuy, transactionsSell }) => plus(transactionsBuy, transactionsSell), jetton),
      buy: counts(({ transactionsBuy }) => transactionsBuy, jetton),
      sell: counts(({ transactionsSell }) => transactionsSell, jetton),
    },
  }),
  traders: (jetton: BusyJetton) => ({
    address: jetton.address,
    changes: {
      total: counts(({ traders }) => traders, jetton),
      buy: counts(({ tradersBuy }) => tradersBuy, jetton),
      sell: counts(({ tradersSell }) => tradersSell, jetton),
    },
  }),
  price: (jetton: BusyJetton) => ({
    address: jetton.address,
    priceChange: {
      ton: prices(({ priceTon }) => priceTon, jetton),
      usd: prices(({ priceUsd }) => priceUsd, jetton),
    },
  }),
};

describe.each([
  ['transactions', TransactionCountChangesList],
  ['traders', TradersChangesList],
  ['price', PriceChangesList],
] as const)('/v1/jettons/%s/change', (name, contract) => {
  const path = `/v1/jettons/${name}/change`;
  const ask = async () => app.get(`${path}?address=${all.join(',')}`);

  it('answers what a naive recomputation from the figures gives, in the order of the request', async () => {
    const body = contract.parse(await (await ask()).json());
    expect(body.items.slice(0, 2)).toEqual([expectedItems[name](second), expectedItems[name](first)]);
    expect(body.items.map(({ address }) => address)).toEqual([second.address, first.address, silent.address]);
  });

  it('gives zeros for a jetton that is known from its metadata alone', async () => {
    const body = contract.parse(await (await ask()).json());
    expect(JSON.stringify(body.items[2])).not.toMatch(/"current":("[1-9]|\{"value":"[1-9])/);
  });

  it('lists unknown jettons as missing and gives aliases of the others', async () => {
    const body = contract.parse(await (await ask()).json());
    expect(body.missing).toEqual([unknown]);
    expect(Object.keys(body.addressBook)).toEqual([second.address, first.address, silent.address]);
    expect(body.addressBook[silent.address]).toEqual({
      userFriendly: toUserFriendly(silent.address, { bounceable: true }),
      kind: 'jetton',
      name: 'Known by name',
    });
  });

  it('answers GET, POST and HEAD alike, with the oldest calculatedAt as the age', async () => {
    const asked = await ask();
    const text = await asked.text();
    expect(await (await app.post(path, { address: all })).text()).toBe(text);
    for (const response of [asked, await app.post(path, { address: all })]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('x-data-as-of')).toBe(formatInstant(calculatedAt.long));
      expect(response.headers.get('content-type')).toBe('application/json');
    }
    const head = await fetch(`${app.url}${path}?address=${all.join(',')}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, asked.headers.get('etag')]);
    const same = await app.get(`${path}?address=${all.join(',')}`, {
      'if-none-match': asked.headers.get('etag') ?? '',
    });
    expect(same.status).toBe(304);
  });

  it('takes addresses in every form and way, each jetton once, in the order of first occurrence', async () => {
    const friendly = toUserFriendly(first.address, { bounceable: false });
    const spaced = toUserFriendly(second.address, { bounceable: true }).replaceAll('-', '+').replaceAll('_', '%2F');
    const query = `address=${friendly},${spaced}&address=${first.address.toUpperCase()}&_=1`;
    const body = contract.parse(await (await app.get(`${path}?${query}`)).json());
    expect(body.items.map(({ address }) => address)).toEqual([first.address, second.address]);
  });

  it.each([
    ['without an address', '', ['address REQUIRED']],
    ['with an empty one', 'address=', ['address REQUIRED']],
    [
      'with malformed ones, all of them at once',
      'address=x&address=a,,b&limit=3',
      [
        'address[0] MALFORMED_ADDRESS',
        'address[1] MALFORMED_ADDRESS',
        'address[2] MALFORMED_ADDRESS',
        'address[3] MALFORMED_ADDRESS',
        'limit UNKNOWN_FIELD',
      ],
    ],
    [`with 101`, `address=${Array(101).fill(first.address).join(',')}`, ['address TOO_MANY']],
    ['with a typo', `adress=${first.address}`, ['address REQUIRED', 'adress UNKNOWN_FIELD']],
    ['with a parameter of another operation', `address=${first.address}&currency=usd`, ['currency UNKNOWN_FIELD']],
  ])('refuses a query %s', async (_what, query, expected) => {
    const response = await app.get(`${path}?${query}`);
    expect(response.status).toBe(400);
    const { details } = Problem.parse(await response.json());
    const found = details.map(({ field, reason }) => `${field} ${reason}`).toSorted();
    expect(found).toEqual(expected);
  });

  it.each([
    ['without an address', '{}', ['address REQUIRED']],
    ['with an empty list', '{"address":[]}', ['address REQUIRED']],
    ['with one address that is no list', `{"address":"${first.address}"}`, ['address WRONG_TYPE']],
    ['with a number', '{"address":[1]}', ['address[0] WRONG_TYPE']],
    ['with a duplicate key', `{"address":["${first.address}"],"address":[]}`, ['address DUPLICATE']],
    [
      'with a field of another operation',
      `{"address":["${first.address}"],"currency":"usd"}`,
      ['currency UNKNOWN_FIELD'],
    ],
    ['that is no object', '[]', ['body WRONG_TYPE']],
    ['that is no JSON', '{', ['body MALFORMED']],
  ])('refuses a body %s', async (_what, text, expected) => {
    const response = await app.post(path, text);
    expect(response.status).toBe(400);
    const { details } = Problem.parse(await response.json());
    expect(details.map(({ field, reason }) => `${field} ${reason}`)).toEqual(expect.arrayContaining(expected));
  });

  it('takes 100 addresses, and no query beside a body', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `0:${String(index).padStart(64, '0')}`);
    const body = contract.parse(await (await app.post(path, { address: many })).json());
    expect([body.items.length, body.missing.length]).toEqual([0, 100]);
    expect((await app.post(`${path}?address=${first.address}`, { address: many })).status).toBe(400);
  });
});
