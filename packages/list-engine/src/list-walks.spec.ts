import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { MemoryStore } from '../test/memory-store.js';
import { anyQuery, Table, type TableRow } from '../test/table.js';
import { ListWalks } from './list-walks.js';

const secret = 'a secret of at least thirty-two characters';
const rowOf = (at: number, figures: TableRow['figures'] = new Map()): TableRow => ({
  address: `0:${at.toString(16).padStart(8, '0').repeat(8)}`,
  name: `Name ${at}`,
  symbol: `S${at}`,
  verification: 'JVS_NONE',
  admin: undefined,
  isRow: true,
  figures,
});
const tableOf = (count: number) =>
  new Table(Array.from({ length: count }, (_, at) => rowOf(at, new Map([['holders', BigInt(at)]]))));

let nowMs = 0;
let store: MemoryStore;
let walks: ListWalks;
const start = (options: Partial<ConstructorParameters<typeof ListWalks>[0]> = {}) =>
  new ListWalks({ secret, store, nowMs: () => nowMs, ...options });

beforeEach(() => {
  nowMs = 1_795_219_200_000;
  store = new MemoryStore();
  walks = start();
});

const query = { ...anyQuery, sort: 'holders', order: 'desc', limit: 3 } as const;

async function reasonOf(page: Promise<unknown>): Promise<string> {
  const error: unknown = await page.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof DomainError ? (error.violations[0]?.reason ?? error.code) : String(error);
}

async function firstCursor(table: Table): Promise<string> {
  const { next } = await walks.page(table, 'stats', query);
  if (next === undefined) throw new Error('there is one page only');
  return next;
}

describe('pages', () => {
  it('name a next one only where there is one, and store an order only then', async () => {
    expect(await walks.page(tableOf(3), 'stats', query)).toEqual({
      addresses: [2, 1, 0].map((at) => rowOf(at).address),
      missing: [],
    });
    expect(store.saves).toBe(0);
    const { next } = await walks.page(tableOf(4), 'stats', query);
    expect(next).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
    expect(store.saves).toBe(1);
  });

  it('list the requested addresses that are not known, on every page, in the order of the request', async () => {
    const table = tableOf(6);
    const [gone, here] = [`0:${'f'.repeat(64)}`, table.rows.map(({ address }) => address)];
    const asked = { ...query, address: [gone, ...here.toReversed(), `-1:${'0'.repeat(64)}`] };
    const first = await walks.page(table, 'stats', asked);
    const second = await walks.page(table, 'stats', { ...asked, cursor: first.next ?? '' });
    expect([first.missing, second.missing]).toEqual([
      [gone, `-1:${'0'.repeat(64)}`],
      [gone, `-1:${'0'.repeat(64)}`],
    ]);
    expect([...first.addresses, ...second.addresses]).toEqual(here.toReversed());
    expect(second.next).toBeUndefined();
  });

  it('begin on an order pinned within the last seconds, and on a new one after that', async () => {
    const table = tableOf(5);
    await firstCursor(table);
    table.rows[0]?.figures.set('holders', 100n);
    table.touch();
    nowMs += 5_000;
    expect((await walks.page(table, 'stats', query)).addresses[0]).toBe(rowOf(4).address);
    nowMs += 1;
    expect((await walks.page(table, 'stats', query)).addresses[0]).toBe(rowOf(0).address);
    expect(store.saves).toBe(2);
  });

  it('go on with the former order within its time while the store is slow to take the next one', async () => {
    const table = tableOf(5);
    const first = await walks.page(table, 'stats', query);
    table.rows[0]?.figures.set('holders', 100n);
    table.touch();
    nowMs += 4_000;
    const { promise, resolve: open } = Promise.withResolvers<void>();
    store.gate = promise;
    expect((await walks.page(table, 'stats', query)).addresses).toEqual(first.addresses);
    expect((await walks.page(table, 'stats', query)).addresses).toEqual(first.addresses);
    expect(store.saves).toBe(2);
    open();
    await store.gate;
    await pollUntil(async () => (await walks.page(table, 'stats', query)).addresses[0] === rowOf(0).address, {
      what: 'the new order',
    });
    expect(store.saves).toBe(2);
  });

  it('of the same data are the same an hour long, and each has ten minutes to be walked on from', async () => {
    const table = tableOf(5);
    const first = await walks.page(table, 'stats', query);
    for (const restMs of [60_000, 1_800_000, 3_600_000 - 1_860_000]) {
      nowMs += restMs;
      // A change elsewhere leaves this order as it is.
      table.rows[0]?.figures.set('fdmc', BigInt(restMs));
      table.touch();
      expect(await walks.page(table, 'stats', query)).toEqual(first);
      expect(await walks.page(table, 'stats', query)).toEqual(first);
    }
    expect(store.saves).toBe(1);
    nowMs += 600_000;
    expect((await walks.page(table, 'stats', { ...query, cursor: first.next ?? '' })).addresses).toHaveLength(2);
    expect((await walks.page(table, 'stats', query)).next).not.toBe(first.next);
    expect(store.saves).toBe(2);
  });

  it('of one moment share one pinned order', async () => {
    const table = tableOf(5);
    const pages = await Promise.all([1, 2, 3].map(() => walks.page(table, 'stats', query)));
    expect(new Set(pages.map(({ next }) => next)).size).toBe(1);
    expect(store.saves).toBe(1);
  });
});

describe('cursors', () => {
  it('may be used with another limit or currency, forms and orders of arrays, but with no other filter or order', async () => {
    const table = tableOf(9);
    const address = table.rows.map((row) => row.address);
    const asked = { ...query, address, verification: ['JVS_NONE', 'JVS_SCAM'] } as const;
    const { next: cursor = '' } = await walks.page(table, 'stats', asked);
    const same = { ...asked, cursor, limit: 50, currency: 'eur', address: address.toReversed() } as const;
    expect(
      (await walks.page(table, 'stats', { ...same, verification: ['JVS_SCAM', 'JVS_NONE'] })).addresses,
    ).toHaveLength(6);
    const others = [
      { ...same, order: 'asc' },
      { ...same, sort: 'fdmc' },
      { ...same, excludeScam: true },
      { ...same, search: 'name' },
      { ...same, address: address.slice(1) },
      { ...same, admin: [address[0] ?? ''] },
      { ...same, verification: ['JVS_NONE'] },
      { ...same, priceChangeTon: { hour: { min: { value: 0n, decimals: 0 } } } },
      { ...same, liquidityUsd: { max: { value: 0n, decimals: 0 } } },
      { ...same, fdmc: { max: { value: 0n, decimals: 0 } } },
      { ...same, trustScore: { min: 0n } },
      { ...same, holders: { max: 0n } },
    ] as const;
    for (const other of others) {
      expect(await reasonOf(walks.page(table, 'stats', other))).toBe('CURSOR_MISMATCH');
    }
    expect(await reasonOf(walks.page(table, 'metrics', same))).toBe('CURSOR_MISMATCH');
  });

  it('that are altered in any character, cut, or of another secret are refused', async () => {
    const table = tableOf(5);
    const cursor = await firstCursor(table);
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const altered = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expect(walks.checkCursor(altered)?.reason).toBe('CURSOR_INVALID');
    }
    for (const text of ['x', cursor.slice(1), `${cursor}A`, `${cursor}=`, '😀', ' ']) {
      expect(await reasonOf(walks.page(table, 'stats', { ...query, cursor: text }))).toBe('CURSOR_INVALID');
    }
    expect(start({ secret: `${secret}!` }).checkCursor(cursor)?.reason).toBe('CURSOR_INVALID');
    expect(() => start({ secret: 'x'.repeat(31) })).toThrow(RangeError);
  });

  it('live ten minutes at least, from the last walk that could begin on their order, and then expire', async () => {
    walks = start({ holdMs: 60_000 });
    const table = tableOf(5);
    const cursor = await firstCursor(table);
    nowMs += 600_000 + 60_000;
    expect((await walks.page(table, 'stats', { ...query, cursor })).addresses).toHaveLength(2);
    nowMs += 1;
    expect(walks.checkCursor(cursor)?.reason).toBe('CURSOR_EXPIRED');
    expect(await reasonOf(walks.page(table, 'stats', { ...query, cursor }))).toBe('CURSOR_EXPIRED');
  });
});

describe('while the store is away', () => {
  it('the replica that pinned an order walks on, and others answer unavailable', async () => {
    const table = tableOf(8);
    store.isAway = true;
    const cursor = await firstCursor(table);
    expect((await walks.page(table, 'stats', { ...query, cursor })).addresses).toHaveLength(3);
    const other = start();
    expect(await reasonOf(other.page(table, 'stats', { ...query, cursor }))).toBe('unavailable');
    store.isAway = false;
    // The store works, but the order is not in it yet: no page has come by since.
    expect(await reasonOf(other.page(table, 'stats', { ...query, cursor }))).toBe('unavailable');
    nowMs += 2_000;
    await walks.page(table, 'stats', { ...query, cursor });
    expect((await other.page(table, 'stats', { ...query, cursor })).addresses).toHaveLength(3);
  });

  it('requests do not try it again and again', async () => {
    const table = tableOf(8);
    store.isAway = true;
    for (const limit of [1, 2, 3, 4])
      await walks.page(table, 'stats', { ...query, limit, search: `name`.padEnd(4 + 0) });
    for (const sort of ['fdmc', 'tvl', 'createdAt'] as const) await walks.page(table, 'stats', { ...query, sort });
    expect(store.saves).toBe(1);
  });
});

describe('memory', () => {
  it('is bounded: stored orders are dropped and loaded again, those that only memory has go last', async () => {
    const table = tableOf(2_000);
    walks = start({ bytesMax: 40_000, reuseMs: 0 });
    store.isAway = true;
    const unstored = await firstCursor(table);
    store.isAway = false;
    nowMs += 2_000;
    const cursors: string[] = [];
    for (let walk = 0; walk < 5; walk += 1) {
      nowMs += 1;
      // Another order each time, in its last places, or its pin would serve again.
      table.rows[walk + 1]?.figures.set('holders', BigInt(-1 - walk));
      table.touch();
      cursors.push(await firstCursor(table));
    }
    expect(store.pins.size).toBe(5);
    for (const cursor of cursors) {
      expect((await walks.page(table, 'stats', { ...query, cursor })).addresses[0]).toBe(rowOf(1_996).address);
    }
    expect(store.loads).toBeGreaterThanOrEqual(3);
    const before = store.loads;
    await walks.page(table, 'stats', { ...query, cursor: unstored });
    expect(store.loads).toBe(before);
  });
});

describe('a replica that is behind', () => {
  it('answers unavailable for a jetton it has not met, and leaves it out when the order is old', async () => {
    const table = tableOf(6);
    const behind = tableOf(6);
    behind.rows.splice(2, 1);
    const cursor = await firstCursor(table);
    const asked = { ...query, cursor };
    const other = start();
    const shorter = new Table(behind.rows);
    expect(await reasonOf(other.page(shorter, 'stats', asked))).toBe('unavailable');
    nowMs += 30_000;
    expect((await other.page(shorter, 'stats', asked)).addresses).toEqual([1, 0].map((at) => rowOf(at).address));
  });
});
