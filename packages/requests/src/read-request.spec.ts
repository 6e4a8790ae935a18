import { describe, expect, it } from '@jest/globals';
import {
  getJettonMarketStatistics,
  getJettons,
  getJettonStatisticsListPost,
  getJettonTransactions,
  getTradingVolumeChangeList,
  getTransactionsChange,
} from '@jetton-analytics/common';
import { toUserFriendly } from '@jetton-analytics/feed';
import { DomainError } from '@jetton-analytics/service';
import { readListRequest } from './read-list-request.js';
import { readRequest } from './read-request.js';

const context = { network: 'mainnet' } as const;
const raw = (digit: string) => `0:${digit.repeat(64)}`;
const friendly = (digit: string) => toUserFriendly(raw(digit), { bounceable: true });

const get = (query: string) => readListRequest(getJettons, { url: `/v1/jettons?${query}` }, context);
const post = (body: string | Buffer, url = '/v1/jettons/stats') =>
  readListRequest(getJettonStatisticsListPost, { url, body: Buffer.from(body) }, context);

/** `field REASON` of everything wrong with a request, in order. */
function wrong(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code !== 'invalidArgument') throw error;
    return error.violations.map(({ field, reason }) => `${field} ${reason}`);
  }
  return [];
}

const standard = {
  limit: 20,
  excludeScam: false,
  address: [],
  admin: [],
  verification: [],
  sort: 'createdAt',
  order: 'asc',
  priceChangeTon: {},
  liquidityUsd: {},
  fdmc: {},
  trustScore: {},
  holders: {},
  currency: 'ton',
};

const checkCursor = () => ({ field: 'cursor', reason: 'CURSOR_EXPIRED', message: 'has expired' }) as const;

describe('a list request', () => {
  it('has the defaults of the interface, in either form', () => {
    expect(get('')).toEqual(standard);
    expect(post('{}')).toEqual(standard);
  });

  it('reads every parameter of the query', () => {
    const query = [
      'limit=100&cursor=abc&excludeScam=1&search=%20Tether%20USD%20&sort=volume24h&order=desc&currency=EUR',
      `address=${friendly('a')},${encodeURIComponent(raw('B'))}&address=${raw('a')}&admin=${raw('c')}`,
      'verification=JVS_SCAM,JVS_COMMUNITY_APPROVED&verification=JVS_COMMUNITY_VERIFIED',
      'priceChange.ton.hour.min=-1.50&priceChange.ton.hour.max=1e3&priceChange.ton.hour6.min=0',
      'priceChange.ton.day.max=7&priceChange.ton.week.min=-0.0001',
      'liquidity.usd.min.value=5&liquidity.usd.min.decimals=255&liquidity.usd.max.value=7&fdmc.min.value=0',
      'fdmc.max.value=10&fdmc.max.decimals=1&trustScore.min=1&trustScore.max=99&holders.min=0&holders.max=9223372036854775807',
    ].join('&');
    expect(get(query)).toEqual({
      limit: 100,
      cursor: 'abc',
      excludeScam: true,
      search: 'Tether USD',
      address: [raw('a'), raw('b')],
      admin: [raw('c')],
      verification: ['JVS_SCAM', 'JVS_COMMUNITY_VERIFIED'],
      sort: 'volume24h',
      order: 'desc',
      priceChangeTon: {
        hour: { min: { value: -15n, decimals: 1 }, max: { value: 1000n, decimals: 0 } },
        hour6: { min: { value: 0n, decimals: 0 } },
        day: { max: { value: 7n, decimals: 0 } },
        week: { min: { value: -1n, decimals: 4 } },
      },
      liquidityUsd: { min: { value: 5n, decimals: 255 }, max: { value: 7n, decimals: 0 } },
      fdmc: { min: { value: 0n, decimals: 0 }, max: { value: 10n, decimals: 1 } },
      trustScore: { min: 1n, max: 99n },
      holders: { min: 0n, max: 9223372036854775807n },
      currency: 'eur',
    });
  });

  it('reads numbers of a body from their text, exactly', () => {
    const body =
      '{"priceChange":{"ton":{"day":{"min":9007199254740993.0000000000000000001,"max":"1E+20"}}},"limit":2e1}';
    const { priceChangeTon, limit } = post(body);
    expect(priceChangeTon.day?.min).toEqual({ value: 90071992547409930000000000000000001n, decimals: 19 });
    expect(priceChangeTon.day?.max).toEqual({ value: 10n ** 20n, decimals: 0 });
    expect(limit).toBe(20);
  });

  it.each([
    ['limit=0', 'limit TOO_SMALL'],
    ['limit=101', 'limit TOO_LARGE'],
    ['limit=1.5', 'limit MALFORMED'],
    ['limit=abc', 'limit MALFORMED'],
    ['limit=', 'limit MALFORMED'],
    ['limit=+5', 'limit MALFORMED'],
    ['limit=5&limit=5', 'limit DUPLICATE'],
    ['limt=5', 'limt UNKNOWN_FIELD'],
    ['excludeScam=yes', 'excludeScam MALFORMED'],
    ['excludeScam=toString', 'excludeScam MALFORMED'],
    ['search=ab', 'search TOO_SHORT'],
    ['search=%20%20ab%20', 'search TOO_SHORT'],
    ['search=a%00bc', 'search MALFORMED'],
    ['search=%ED%A0%80abc', 'search MALFORMED'],
    ['address=xyz', 'address[0] MALFORMED_ADDRESS'],
    [`address=${raw('a')},,${raw('b')}`, 'address[1] MALFORMED_ADDRESS'],
    [`address=${toUserFriendly(raw('a'), { bounceable: true, testOnly: true })}`, 'address[0] WRONG_NETWORK'],
    ['verification=JVS_NONE,constructor', 'verification[1] UNKNOWN_VALUE'],
    ['sort=CREATEDAT', 'sort UNKNOWN_VALUE'],
    ['order=ASC', 'order UNKNOWN_VALUE'],
    ['currency=Usd', 'currency UNKNOWN_VALUE'],
    ['priceChange.ton.hour12.min=1', 'priceChange.ton.hour12.min UNKNOWN_FIELD'],
    ['priceChange.ton.hour.min=1,5', 'priceChange.ton.hour.min MALFORMED'],
    ['priceChange.ton.hour.min=2&priceChange.ton.hour.max=1.9', 'priceChange.ton.hour.min RANGE_EMPTY'],
    ['fdmc.min.value=2&fdmc.max.value=19&fdmc.max.decimals=1', 'fdmc.min.value RANGE_EMPTY'],
    ['fdmc.min.decimals=2', 'fdmc.min.value REQUIRED'],
    ['fdmc.min.value=-1', 'fdmc.min.value TOO_SMALL'],
    ['fdmc.min.value=1.5', 'fdmc.min.value MALFORMED'],
    ['fdmc.min.value=1&fdmc.min.decimals=256', 'fdmc.min.decimals TOO_LARGE'],
    ['trustScore.min=2&trustScore.max=1', 'trustScore.min RANGE_EMPTY'],
    ['holders.min=9223372036854775808', 'holders.min TOO_LARGE'],
    ['holders.min=-9223372036854775809', 'holders.min TOO_SMALL'],
    ['holders.min=1e2', 'holders.min MALFORMED'],
    ['limit=%zz', 'limit MALFORMED'],
  ])('refuses %s', (query, violation) => {
    expect(wrong(() => get(query))).toEqual([violation]);
  });

  it.each([
    ['limit TOO_LARGE', `limit=${'9'.repeat(400)}`],
    ['search TOO_LONG', `search=${'😀'.repeat(256)}`],
    ['address TOO_MANY', `address=${Array.from({ length: 101 }, () => raw('a')).join(',')}`],
    ['admin TOO_MANY', `admin=${Array.from({ length: 11 }, () => raw('a')).join(',')}`],
    ['verification TOO_MANY', `verification=${Array.from({ length: 6 }, () => 'JVS_NONE').join(',')}`],
    ['fdmc.min.value TOO_LONG', `fdmc.min.value=1${'0'.repeat(512)}`],
    ['cursor CURSOR_INVALID', `cursor=${'a'.repeat(513)}`],
  ])('answers %s where there is too much of it', (violation, query) => {
    expect(wrong(() => get(query))).toEqual([violation]);
  });

  it.each(['address=', 'address=&address=', 'cursor=', 'verification=&admin=', '_=1&_ts=x'])(
    'takes %s for nothing given',
    (query) => {
      expect(get(query)).toEqual(standard);
    },
  );

  it.each([
    ['{"address":[],"cursor":"","_x":{"a":[1]},"fdmc":{},"liquidity":{"_":1}}', []],
    ['{"limit":1,"limit":1}', ['limit DUPLICATE']],
    ['{"fdmc":{"min":{"value":"1","value":"1"}}}', ['fdmc.min.value DUPLICATE']],
    ['{"limit":"20"}', ['limit WRONG_TYPE']],
    ['{"limit":20.5}', ['limit MALFORMED']],
    ['{"limit":null}', ['limit WRONG_TYPE']],
    ['{"excludeScam":1}', ['excludeScam WRONG_TYPE']],
    ['{"search":"\\ud800abc"}', ['search MALFORMED']],
    ['{"search":"a\\u0007bc"}', ['search MALFORMED']],
    ['{"address":"x"}', ['address WRONG_TYPE']],
    [`{"address":["${raw('a')}",5,""]}`, ['address[1] WRONG_TYPE', 'address[2] MALFORMED_ADDRESS']],
    ['{"fdmc":5}', ['fdmc WRONG_TYPE']],
    ['{"fdmc":{"min":{"value":5}}}', ['fdmc.min.value WRONG_TYPE']],
    ['{"fdmc":{"min":{"decimals":5}}}', ['fdmc.min.value REQUIRED']],
    ['{"fdmc":{"min":{},"max":{"_":1}}}', ['fdmc.min.value REQUIRED', 'fdmc.max.value REQUIRED']],
    ['{"fdmc":{"mim":{}}}', ['fdmc.mim UNKNOWN_FIELD']],
    ['{"fdmc.min.value":"5"}', ['fdmc.min.value UNKNOWN_FIELD']],
    ['{"__proto__":{}}', []],
    ['{"constructor":{}}', ['constructor UNKNOWN_FIELD']],
    ['{"holders":{"min":1.5}}', ['holders.min MALFORMED']],
    ['{"holders":{"min":1e400}}', ['holders.min TOO_LARGE']],
    ['{"holders":{"min":9007199254740992}}', ['holders.min TOO_LARGE']],
    ['{"holders":{"min":-9007199254740992}}', ['holders.min TOO_SMALL']],
    ['{"holders":{"min":9007199254740991,"max":"9223372036854775807"}}', []],
    ['[]', ['body WRONG_TYPE']],
    ['"x"', ['body WRONG_TYPE']],
    ['', ['body MALFORMED']],
    ['{"limit":1', ['body MALFORMED']],
    ['{"limit":01}', ['body MALFORMED']],
    ['\ufeff{}', ['body MALFORMED']],
    [`{"_":${'['.repeat(40)}`, ['body MALFORMED']],
  ])('of the body %s answers %j', (body, violations) => {
    expect(wrong(() => post(body))).toEqual(violations);
  });

  it('refuses a body that is not UTF-8 or nested without end, and query parameters beside a body', () => {
    expect(wrong(() => post(Buffer.from([0x7b, 0xff, 0x7d])))).toEqual(['body MALFORMED']);
    expect(wrong(() => post(`{"_":${'['.repeat(60_000)}`))).toEqual(['body MALFORMED']);
    expect(wrong(() => post('{}', '/v1/jettons/stats?limit=5&_=1'))).toEqual(['limit UNKNOWN_FIELD']);
  });

  it('lists everything wrong at once, the cursor included, and suggests the nearest name', () => {
    const url = '/v1/jettons?limit=0&ordr=asc&cursor=x&address=y&fdmc.min.decimals=1';
    const read = () => readListRequest(getJettons, { url }, { ...context, checkCursor });
    expect(wrong(read)).toEqual([
      'ordr UNKNOWN_FIELD',
      'limit TOO_SMALL',
      'cursor CURSOR_EXPIRED',
      'address[0] MALFORMED_ADDRESS',
      'fdmc.min.value REQUIRED',
    ]);
    expect(read).toThrow(/ordr: unknown parameter, did you mean order\?/);
    expect(() => post('{"ordr":"asc"}')).toThrow(/ordr: unknown field, did you mean order\?/);
  });

  it('answers a body full of wrong fields with a bounded list', () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`k${index}`, 1])));
    expect(wrong(() => post(body))).toHaveLength(200);
  });
});

const readAddresses = (query: string) =>
  readRequest(getTransactionsChange, { url: `/v1/jettons/transactions/change${query}` }, context).values.address;

const readPath = (address: string, poolAddress: string) =>
  readRequest(getJettonMarketStatistics, { url: '/x' }, { ...context, path: { address, poolAddress } }).path;

describe('other requests', () => {
  it('require addresses and keep the order of first occurrence', () => {
    expect(readAddresses(`?address=${raw('b')},${raw('a')}&address=${friendly('b')}`)).toEqual([raw('b'), raw('a')]);
    expect(wrong(() => readAddresses(''))).toEqual(['address REQUIRED']);
    expect(wrong(() => readAddresses('?address='))).toEqual(['address REQUIRED']);
    expect(wrong(() => readAddresses('?addres=x'))).toEqual(['addres UNKNOWN_FIELD', 'address REQUIRED']);
  });

  it('count addresses before they are made unique', () => {
    const body = (count: number) =>
      Buffer.from(JSON.stringify({ address: Array.from({ length: count }, () => raw('a')) }));
    const read = (count: number) =>
      readRequest(getTradingVolumeChangeList, { url: '/', body: body(count) }, context).values.address;
    expect(read(100)).toEqual([raw('a')]);
    expect(wrong(() => read(101))).toEqual(['address TOO_MANY']);
  });

  it('read the addresses of the path, a space as the plus it was', () => {
    const standardForm = friendly('f').replaceAll('-', '+').replaceAll('_', '/');
    expect(readPath(standardForm.replaceAll('+', ' '), raw('A'))).toEqual({ address: raw('f'), poolAddress: raw('a') });
    expect(wrong(() => readPath('x', `${raw('a')}0`))).toEqual([
      'address MALFORMED_ADDRESS',
      'poolAddress MALFORMED_ADDRESS',
    ]);
  });

  it('read the filters of single trades', () => {
    const read = (query: string) =>
      readRequest(getJettonTransactions, { url: `/x?${query}` }, { ...context, path: { address: raw('a') } }).values;
    const hash = Buffer.alloc(32, 0xfb);
    expect(
      read(
        `type=TT_SELL&who=${friendly('1')}&hash=${hash.toString('base64')}&counterpart=ton&exchangeId=ston.fi` +
          '&timeFrom=2026-11-20T01:00:00+01:00&timeTo=1795219200&limit=5',
      ),
    ).toEqual({
      limit: 5,
      cursor: undefined,
      type: 'TT_SELL',
      who: raw('1'),
      hash: hash.toString('hex'),
      counterpart: 'ton',
      exchangeId: 'ston.fi',
      timeFrom: Date.parse('2026-11-20T00:00:00Z') / 1_000,
      timeTo: 1_795_219_200,
    });
    expect(wrong(() => read('timeFrom=2&timeTo=1'))).toEqual(['timeFrom RANGE_EMPTY']);
    expect(wrong(() => read('type=tt_buy&hash=x&timeFrom=2026-02-30T00:00:00Z&timeTo=2026-01-01'))).toEqual([
      'type UNKNOWN_VALUE',
      'hash MALFORMED',
      'timeFrom MALFORMED',
      'timeTo MALFORMED',
    ]);
  });
});
