import {
  ChartResolution,
  Currency,
  Order,
  SortField,
  TransactionType,
  Verification,
  verificationAliases,
} from './enums.js';
import type { RequestContract } from './parameters.js';

const exampleJetton = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

const cursor = {
  kind: 'cursor',
  charsMax: 512,
  description: 'Value of `next` of the previous page; absent or empty for the first page.',
} as const;

const limit = {
  kind: 'integer',
  min: 1,
  max: 100,
  default: 20,
  description: 'Items on a page at most.',
  examples: [20],
} as const;

const currency = (description: string) =>
  ({
    kind: 'enum',
    values: Currency.options,
    default: 'ton',
    anyCase: true,
    description,
    examples: ['usd'],
  }) as const;

const percent = (bound: 'Least' | 'Greatest', window: string) =>
  ({
    kind: 'decimal',
    description: `${bound} change of the price in ton over ${window}, in percent, inclusive.`,
    examples: [bound === 'Least' ? -12.5 : 40],
  }) as const;

const usd = (bound: 'Least' | 'Greatest', what: string) =>
  ({ kind: 'amount', description: `${bound} ${what} in usd, inclusive: value / 10^decimals.` }) as const;

const whole = (bound: 'Least' | 'Greatest', what: string) =>
  ({
    kind: 'int64',
    description: `${bound} ${what}, inclusive.`,
    examples: [bound === 'Least' ? '10' : '90'],
  }) as const;

/** The filters, order and page of operations 1, 3, 4 and 5, in either form. Source: docs/http-api.md, "Filters and sorting". */
export const listRequest = {
  limit,
  cursor,
  excludeScam: {
    kind: 'boolean',
    default: false,
    description: 'Whether jettons marked as scam are left out.',
    examples: [true],
  },
  search: {
    kind: 'text',
    charsMin: 3,
    charsMax: 255,
    description: 'Part of the name or the symbol, in any case; 3 to 255 characters after trimming.',
    examples: ['tether'],
  },
  address: {
    kind: 'addresses',
    itemsMax: 100,
    description: 'Only these jettons; raw or user-friendly addresses.',
    examples: [exampleJetton],
  },
  admin: {
    kind: 'addresses',
    itemsMax: 10,
    description: 'Only jettons administrated by one of these wallets; raw or user-friendly addresses.',
  },
  verification: {
    kind: 'enums',
    values: Verification.options,
    aliases: verificationAliases,
    itemsMax: 5,
    description: 'Only jettons with one of these verdicts.',
    examples: ['JVS_APPROVED'],
  },
  sort: {
    kind: 'enum',
    values: SortField.options,
    default: 'createdAt',
    description: 'Figure that orders the list; jettons without it come last in either order.',
    examples: ['volume24h'],
  },
  order: {
    kind: 'enum',
    values: Order.options,
    default: 'asc',
    description: 'Direction of the order; equal figures are ordered by raw address, ascending, in either one.',
    examples: ['desc'],
  },
  'priceChange.ton.hour.min': percent('Least', 'one hour'),
  'priceChange.ton.hour.max': percent('Greatest', 'one hour'),
  'priceChange.ton.hour6.min': percent('Least', 'six hours'),
  'priceChange.ton.hour6.max': percent('Greatest', 'six hours'),
  'priceChange.ton.day.min': percent('Least', 'one day'),
  'priceChange.ton.day.max': percent('Greatest', 'one day'),
  'priceChange.ton.week.min': percent('Least', 'seven days'),
  'priceChange.ton.week.max': percent('Greatest', 'seven days'),
  'liquidity.usd.min': usd('Least', 'liquidity'),
  'liquidity.usd.max': usd('Greatest', 'liquidity'),
  'fdmc.min': usd('Least', 'fully diluted market capitalisation'),
  'fdmc.max': usd('Greatest', 'fully diluted market capitalisation'),
  'trustScore.min': whole('Least', 'trust score (0 to 100)'),
  'trustScore.max': whole('Greatest', 'trust score (0 to 100)'),
  'holders.min': whole('Least', 'number of holders'),
  'holders.max': whole('Greatest', 'number of holders'),
  currency: currency('Currency of the fields whose names end in `Currency`; without effect where there are none.'),
} as const satisfies RequestContract;

/** Operations 8 and 9 and their like. */
export const addressesRequest = {
  address: {
    kind: 'addresses',
    itemsMax: 100,
    required: true,
    description: 'Jettons to report on, at most 100; raw or user-friendly addresses.',
    examples: [exampleJetton],
  },
} as const satisfies RequestContract;

/** Operation 10. */
export const volumeChangeRequest = {
  ...addressesRequest,
  currency: currency('Currency of all volumes of the answer.'),
} as const satisfies RequestContract;

export const currencyRequest = {
  currency: currency('Currency of the fields that are not fixed to ton or usd.'),
} as const satisfies RequestContract;

export const noRequest = {} as const satisfies RequestContract;

const exchangeId = {
  kind: 'text',
  charsMin: 1,
  charsMax: 64,
  description: 'Only this exchange, by its `exchangeId` of an answer.',
  examples: ['ston.fi'],
} as const;

export const marketsRequest = { limit, cursor, exchangeId } as const satisfies RequestContract;

export const transactionsRequest = {
  limit,
  cursor,
  type: {
    kind: 'enum',
    values: TransactionType.options,
    description: 'Only buys, or only sells.',
    examples: ['TT_BUY'],
  },
  who: { kind: 'address', description: 'Only trades of this wallet.' },
  hash: { kind: 'hash', description: 'Only trades of the transaction with this hash: 64 hex digits or base64.' },
  counterpart: {
    kind: 'address',
    orNative: true,
    description: 'Only trades against this asset: a jetton’s address, or `ton`.',
    examples: ['ton'],
  },
  exchangeId,
  timeFrom: {
    kind: 'instant',
    description: 'Only trades at or after this instant: ISO 8601, or Unix seconds.',
    examples: ['2026-11-20T00:00:00Z'],
  },
  timeTo: {
    kind: 'instant',
    description: 'Only trades before this instant: ISO 8601, or Unix seconds.',
    examples: ['2026-11-21T00:00:00Z'],
  },
} as const satisfies RequestContract;

export const chartRequest = {
  resolution: {
    kind: 'enum',
    values: ChartResolution.options,
    default: 'hour1',
    description: 'Distance of the points; ranges go up to 24 hours, 7, 30 and 365 days.',
    examples: ['hour1'],
  },
  from: {
    kind: 'instant',
    description: 'Start of the range: ISO 8601, or Unix seconds; by default the longest range before `to`.',
    examples: ['2026-11-20T00:00:00Z'],
  },
  to: {
    kind: 'instant',
    description: 'End of the range: ISO 8601, or Unix seconds; by default now.',
    examples: ['2026-11-21T00:00:00Z'],
  },
  currency: currency('Currency of the prices.'),
  gapFill: {
    kind: 'boolean',
    default: false,
    description: 'Whether a point without a trade repeats the price before it; such points are left out otherwise.',
    examples: [true],
  },
} as const satisfies RequestContract;
