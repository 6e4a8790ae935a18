import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { ChangedRows, type Figures, snapshotVersion } from '../src/snapshots/snapshot.sink.js';
import { newStore } from './store.js';

const storedRows = defineQuery({
  name: 'storedRows',
  sql: `SELECT jetton, slot, toString(version) AS row_version, known, windows[1].transactions_current AS count
        FROM market_statistics_v1 FINAL WHERE term = {term: UInt32} ORDER BY jetton, slot
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({ term: z.int() }),
  row: z.object({ jetton: z.string(), slot: z.int(), row_version: z.string(), known: z.int(), count: z.string() }),
});

let store: ClickHouseWriter;
let term = 0;
let rows: ChangedRows;
let sequence = 0;

beforeAll(async () => {
  ({ store } = await newStore());
}, 300_000);
afterAll(async () => {
  await store?.close();
});
beforeEach(() => {
  // A partition of its own for each test.
  term += 1;
  sequence = 0;
  rows = new ChangedRows(store, term, 'mid');
});

const price = ['0', 9] as const;
const figuresOf = (counts: Record<string, number>): Map<string, Figures> =>
  new Map(
    Object.entries(counts).map(([jetton, count]) => [
      `${jetton}|pool`,
      { counterpart: 'ton', windows: [['day', String(count), '0', '0', '0', '0', '0', price, price]] },
    ]),
  );
const nextVersion = () => {
  sequence += 1;
  return snapshotVersion(1_767_261_600, term, sequence);
};
/** Writes figures; `known` are the keys known without a change. */
const write = (counts: Record<string, number>, to = rows, known: readonly string[] = []) => {
  const figures = figuresOf(counts);
  return to.write('market', figures, nextVersion(), (key) => figures.has(key) || known.includes(key));
};
const snapshot = async (counts: Record<string, number>) => {
  const written = await write(counts);
  rows.published();
  return written;
};

/** What a reader takes for true when the snapshot of this sequence number is the newest with a marker. */
async function readAt(marked: number): Promise<Record<string, number>> {
  const versionMax = BigInt(snapshotVersion(1_767_261_600, term, marked));
  const newest = new Map<string, { version: bigint; known: number; count: number }>();
  for (const { jetton, row_version, known, count } of await store.query(storedRows, { term })) {
    const version = BigInt(row_version);
    if (version > versionMax || version < (newest.get(jetton)?.version ?? 0n)) continue;
    newest.set(jetton, { version, known, count: Number(count) });
  }
  return Object.fromEntries([...newest].filter(([, row]) => row.known === 1).map(([key, row]) => [key, row.count]));
}

/** A store whose inserts end in an error: before they reach it, or after it has taken them. */
const failing = (reaches: boolean): ClickHouseWriter => ({
  query: (definition, params) => store.query(definition, params),
  stream: (definition, params) => store.stream(definition, params),
  binary: (definition, params) => store.binary(definition, params),
  command: (definition, params) => store.command(definition, params),
  ping: () => store.ping(),
  close: () => store.close(),
  insert: async (definition, values) => {
    if (reaches) await store.insert(definition, values);
    throw new Error('the connection was lost');
  },
  insertBinary: (definition, values) => store.insertBinary(definition, values),
});

describe('the version of a snapshot', () => {
  it('rises with C first, then with the term, then with the sequence of the leader', () => {
    const versions = [
      snapshotVersion(100, 9, 9),
      snapshotVersion(101, 1, 2 ** 32 - 1),
      snapshotVersion(101, 2, 1),
      snapshotVersion(101, 2, 2),
      snapshotVersion(101, 2 ** 32 - 1, 1),
      snapshotVersion(102, 1, 1),
    ].map(BigInt);
    expect(versions).toEqual(versions.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions.at(-1)).toBeLessThan(1n << 128n);
  });
});

describe('the rows of a snapshot', () => {
  it('are written only where figures changed', async () => {
    expect(await snapshot({ a: 1, b: 1 })).toBe(2);
    expect(await snapshot({ a: 1, b: 2 })).toBe(1);
    expect(await snapshot({ a: 1, b: 2 })).toBe(0);
    expect(await readAt(3)).toEqual({ a: 1, b: 2 });
    expect((await store.query(storedRows, { term })).filter(({ jetton }) => jetton === 'a')).toHaveLength(1);
  }, 180_000);

  it('are left as they are for known keys whose figures are not given', async () => {
    await snapshot({ a: 1, b: 1 });
    expect(await write({ b: 2 }, rows, ['a|pool'])).toBe(1);
    rows.published();
    expect(await readAt(2)).toEqual({ a: 1, b: 2 });
  }, 180_000);

  it('alternate between two slots, so that the newest published one is there while the next is written', async () => {
    for (let count = 1; count <= 5; count += 1) {
      await write({ a: count });
      expect(await readAt(count - 1)).toEqual(count === 1 ? {} : { a: count - 1 });
      rows.published();
      expect(await readAt(count)).toEqual({ a: count });
    }
    expect((await store.query(storedRows, { term })).map(({ slot }) => slot)).toEqual([0, 1]);
  }, 180_000);

  it('say that a key is no longer known, once, and give its figures again when it is', async () => {
    await snapshot({ a: 1, b: 1 });
    expect(await snapshot({ b: 1 })).toBe(1);
    expect(await readAt(2)).toEqual({ b: 1 });
    expect(await snapshot({ b: 1 })).toBe(0);
    expect(await snapshot({ a: 1, b: 1 })).toBe(1);
    expect(await readAt(4)).toEqual({ a: 1, b: 1 });
  }, 180_000);

  it('never replace the newest published row before they are published, whatever was given up in between', async () => {
    await snapshot({ a: 1 });
    await write({ a: 2 }); // its leader fails before the marker
    await write({ a: 3 });
    expect(await readAt(1)).toEqual({ a: 1 });
    await write({ a: 1 });
    expect(await readAt(1)).toEqual({ a: 1 });
    rows.published();
    expect(await readAt(4)).toEqual({ a: 1 });
  }, 180_000);

  it.each([
    ['did not reach the store', false],
    ['reached the store although its answer was lost', true],
  ])(
    'are written again after an insert that %s',
    async (_, reaches) => {
      let target = store;
      rows = new ChangedRows(
        { ...failing(false), insert: (definition, values) => target.insert(definition, values) },
        term,
        'mid',
      );
      await snapshot({ a: 1, b: 1 });
      target = failing(reaches);
      await expect(write({ a: 2, b: 2, c: 2 })).rejects.toThrow('the connection was lost');
      target = store;
      // b is back at what it was: its row may lie there with 2 all the same. c is not known after all.
      await snapshot({ a: 2, b: 1 });
      expect(await readAt(1)).toEqual({ a: 1, b: 1 });
      expect(await readAt(3)).toEqual({ a: 2, b: 1 });
    },
    180_000,
  );
});
