import type { Fraction } from '../oracle/exact.js';
import { friendly } from '../oracle/friendly.js';
import { compareFractions, fold, type ListOrder } from '../oracle/list-order.js';
import type { WholeMarket } from '../oracle/whole-market.js';

/** A filter as a query and as a body, and which jettons it keeps. */
export interface ListCase {
  readonly query: string;
  readonly body: object;
  readonly keeps: (jetton: string) => boolean;
}

export const sortFields = [
  'createdAt',
  'fdmc',
  'tvl',
  'liquidityUsd',
  'trustScore',
  'volume24h',
  'holders',
  'traders24h',
  'transactions24h',
  'tonPriceChangeHour',
  'tonPriceChangeHour6',
  'tonPriceChangeDay',
  'tonPriceChangeWeek',
  'tonPriceChangeMonth',
];
const verdicts = ['JVS_NONE', 'JVS_APPROVED', 'JVS_COMMUNITY_VERIFIED', 'JVS_VERIFIED', 'JVS_SCAM'];

/** Which figure each range filter looks at, and how its bounds are written. */
const ranges: readonly [name: string, field: string, form: 'percent' | 'usd' | 'whole'][] = [
  ['priceChange.ton.hour', 'tonPriceChangeHour', 'percent'],
  ['priceChange.ton.hour6', 'tonPriceChangeHour6', 'percent'],
  ['priceChange.ton.day', 'tonPriceChangeDay', 'percent'],
  ['priceChange.ton.week', 'tonPriceChangeWeek', 'percent'],
  ['liquidity.usd', 'liquidityUsd', 'usd'],
  ['fdmc', 'fdmc', 'usd'],
  ['trustScore', 'trustScore', 'whole'],
  ['holders', 'holders', 'whole'],
];

/** The names of all filters, for titles. */
export const filterNames = [
  'excludeScam',
  'search',
  'address',
  'admin',
  'verification',
  'verification JVS_COMMUNITY_APPROVED',
  'all filters together',
  ...verdicts.map((verdict) => `verification ${verdict}`),
  ...ranges.flatMap(([name]) => [`${name}.min`, `${name}.max`]),
];

const verdictMeant = (spelling: string): string =>
  spelling === 'JVS_COMMUNITY_APPROVED' ? 'JVS_COMMUNITY_VERIFIED' : spelling;

const nested = (name: string, value: unknown): object =>
  name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

/** A fraction of 10^-digits as decimal text: every bound here is such a figure. */
function text({ numerator, denominator }: Fraction, digits: number): string {
  const scaled = (numerator * 10n ** BigInt(digits)) / denominator;
  const size = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, '0');
  return `${scaled < 0n ? '-' : ''}${size.slice(0, -digits)}.${size.slice(-digits)}`;
}

/** The filters of the lists, with bounds that lie on a jetton's own figure: being inclusive shows. */
export class ListCases {
  constructor(
    private readonly market: WholeMarket,
    private readonly order: ListOrder,
  ) {}

  of(name: string): ListCase {
    const { market } = this;
    const { jettons } = market;
    const verdictOf = (jetton: string) => market.curation.verdicts.get(jetton) ?? 'JVS_NONE';
    const [kind = '', value] = name.split(' ');
    switch (kind) {
      case 'excludeScam':
        return { query: 'excludeScam=1', body: { excludeScam: true }, keeps: (one) => verdictOf(one) !== 'JVS_SCAM' };
      case 'search': {
        const phrase = ' ＮUMBER 1 ';
        const keeps = (one: string) => fold(market.metadata.get(one)?.name ?? '').includes('number 1');
        return { query: `search=${encodeURIComponent(phrase)}`, body: { search: phrase }, keeps };
      }
      case 'address': {
        const [a = '', b = '', c = ''] = jettons;
        const asked = [friendly(c, 'jetton'), a.toUpperCase(), friendly(b, 'wallet'), a];
        return {
          query: `address=${asked.join(',')}`,
          body: { address: asked },
          keeps: (one) => [a, b, c].includes(one),
        };
      }
      case 'admin': {
        const admins = [...new Set([...market.metadata.values()].map(({ admin }) => admin))];
        const asked = new Set(admins.filter((admin) => admin !== null).slice(0, 2));
        const query = [...asked].map((admin) => `admin=${friendly(admin, 'wallet')}`).join('&');
        return { query, body: { admin: [...asked] }, keeps: (one) => asked.has(market.metadata.get(one)?.admin ?? '') };
      }
      case 'verification': {
        const asked = value === undefined ? ['JVS_SCAM', 'JVS_APPROVED'] : [value];
        return {
          query: `verification=${asked.join(',')}`,
          body: { verification: asked },
          keeps: (one) => asked.some((spelling) => verdictMeant(spelling) === verdictOf(one)),
        };
      }
      case 'all':
        return this.#together(['excludeScam', 'trustScore.min', 'holders.max', 'search']);
      default:
        return this.#range(name);
    }
  }

  #together(names: readonly string[]): ListCase {
    const cases = names.map((name) => this.of(name));
    return {
      query: cases.map(({ query }) => query).join('&'),
      body: Object.assign({}, ...cases.map(({ body }) => body)) as object,
      keeps: (jetton) => cases.every(({ keeps }) => keeps(jetton)),
    };
  }

  /** The bound is the figure in the middle, so that it keeps some and not others. */
  #range(name: string): ListCase {
    const [range, field, form] = ranges.find(([one]) => name.startsWith(`${one}.`)) ?? [];
    if (range === undefined || field === undefined) throw new Error(`no such filter: ${name}`);
    const known = this.market.jettons
      .map((jetton) => this.order.value(jetton, field))
      .filter((one) => one !== undefined);
    const bound = known.sort(compareFractions)[Math.floor(known.length / 2)] ?? { numerator: 0n, denominator: 1n };
    const isMin = name.endsWith('.min');
    const keeps = (jetton: string) => {
      const value = this.order.value(jetton, field);
      return value !== undefined && (isMin ? compareFractions(value, bound) >= 0 : compareFractions(value, bound) <= 0);
    };
    if (form === 'usd') {
      const value = String((bound.numerator * 10n ** 6n) / bound.denominator);
      return {
        query: `${name}.value=${value}&${name}.decimals=6`,
        body: nested(name, { value, decimals: 6 }),
        keeps,
      };
    }
    const written = form === 'percent' ? text(bound, 4) : String(bound.numerator);
    return { query: `${name}=${written}`, body: nested(name, written), keeps };
  }
}
