import { type ListQuery, type Range, type ScaledNumber, SortField, Verification } from '@jetton-analytics/common';
import * as fc from 'fast-check';
import { anyQuery, type TableRow } from './table.js';

/** Few values, many ties; beyond 2^53 neighbours that share a double. */
const figure = fc.oneof(
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: 0n, max: 2n }).map((value) => 2n ** 60n + value),
  fc.bigInt({ min: 0n, max: 2n }).map((value) => -(2n ** 60n) - value),
  fc.bigInt({ min: 0n, max: 10n ** 40n }),
);

const figures = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...SortField.options), figure), { selector: ([field]) => field, maxLength: 14 })
  .map((entries) => new Map(entries));

const words = ['Tether', 'TON', 'Straße', 'ΣΊΣΥΦΟΣ', 'ﬀoo', '', '😀 coin', 'a\u0301bc'];
const hex = fc.constantFrom('0', '1', 'a', 'f');

// Few first digits and many equal ones: eight bytes often do not tell two addresses apart.
const address = fc
  .tuple(fc.constantFrom('0', '0', '0', '-1', '7', '10'), hex, fc.constantFrom('0', 'f'), hex, hex)
  .map(([chain, a, b, c, d]) => `${chain}:${a}${b.repeat(15)}${c.repeat(40)}${d.repeat(8)}`);

const row = (at: string): fc.Arbitrary<TableRow> =>
  fc.record({
    address: fc.constant(at),
    name: fc.constantFrom(...words),
    symbol: fc.constantFrom(...words),
    verification: fc.constantFrom(...Verification.options),
    admin: fc.constantFrom(undefined, 'x', 'y'),
    isRow: fc.boolean().map((either) => either || at.length % 2 === 0),
    figures,
  });

const addresses = (max: number): fc.Arbitrary<string[]> => fc.uniqueArray(address, { maxLength: max });

/** Rows with addresses of their own. */
export const tableRows = (max: number): fc.Arbitrary<TableRow[]> =>
  addresses(max).chain((all) => fc.tuple(...all.map((each) => row(each))));

const bound = fc.oneof(
  fc.record({ value: figure, decimals: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ value: fc.bigInt({ min: -30_000n, max: 30_000n }), decimals: fc.constantFrom(0, 4, 9) }),
);
const range: fc.Arbitrary<Range<ScaledNumber>> = fc
  .tuple(fc.option(bound, { freq: 3, nil: undefined }), fc.option(bound, { freq: 3, nil: undefined }))
  .map(([min, max]) => ({ ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }));
const wholeRange: fc.Arbitrary<Range<bigint>> = range.map(({ min, max }) => ({
  ...(min === undefined ? {} : { min: min.value }),
  ...(max === undefined ? {} : { max: max.value }),
}));
const rarely = <T>(some: fc.Arbitrary<T>, none: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: some });

/** Queries without a cursor, most of them with few filters. */
export const listQuery: fc.Arbitrary<ListQuery> = fc
  .record({
    limit: fc.integer({ min: 1, max: 7 }),
    excludeScam: fc.boolean(),
    search: rarely<string | undefined>(fc.constantFrom('ether', 'STRASSE', 'σίσυ', 'ffo', 'ton', '😀'), undefined),
    address: rarely(addresses(10), []),
    admin: rarely(fc.subarray(['x', 'y', 'z']), []),
    verification: rarely(fc.subarray([...Verification.options]), []),
    sort: fc.constantFrom(...SortField.options),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    priceChangeTon: rarely<ListQuery['priceChangeTon']>(
      fc.record({ hour: range, hour6: range, day: range, week: range }),
      {},
    ),
    liquidityUsd: rarely(range, {}),
    fdmc: rarely(range, {}),
    trustScore: rarely(wholeRange, {}),
    holders: rarely(wholeRange, {}),
  })
  .map(({ search, ...rest }) => ({ ...anyQuery, ...rest, ...(search === undefined ? {} : { search }) }));
