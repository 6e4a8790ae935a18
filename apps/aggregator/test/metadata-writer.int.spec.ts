import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MetadataState, parseMetadataMessage } from '@jetton-analytics/feed';
import { createDataSource, JettonMetadata } from '@jetton-analytics/postgres';
import * as fc from 'fast-check';
import { mergeMetadata } from '../src/metadata/merge-metadata.js';
import { MetadataStore } from '../src/metadata/metadata-store.js';
import { MetadataWriter } from '../src/metadata/metadata-writer.js';
import { address, assets } from './feed-messages.js';
import { newPostgres } from './postgres.js';
import { metadataMessage, stateOf } from './state-messages.js';

const recordMs = Date.UTC(2026, 0, 2);
const owned = () => undefined;
const stateWith = (fields: Readonly<Record<string, unknown>>, timestampMs = recordMs): MetadataState =>
  stateOf((message) => parseMetadataMessage(message, assets), metadataMessage(fields), timestampMs);

let database: ReturnType<typeof createDataSource>;
let stores: MetadataStore[];
beforeAll(async () => {
  const url = await newPostgres();
  database = await createDataSource(url, { application: 'metadata tests' }).initialize();
  stores = [new MetadataStore(url, 'metadata tests 1'), new MetadataStore(url, 'metadata tests 2')];
}, 480_000);
afterAll(async () => {
  await Promise.all((stores ?? []).map((store) => store.close()));
  await database?.destroy();
});

const writerOf = (index: number): MetadataWriter => {
  const store = stores[index];
  if (store === undefined) throw new Error('no store');
  return new MetadataWriter(store, assets);
};
const rowOf = (jetton: string) => database.getRepository(JettonMetadata).findOneByOrFail({ address: jetton });
const keptOf = async (jetton: string): Promise<number> => {
  const sql = 'SELECT count(*)::int AS kept FROM jetton_metadata_messages WHERE address = $1';
  const [row] = await database.query<{ kept: number }[]>(sql, [jetton]);
  return row?.kept ?? 0;
};

describe('metadata', () => {
  it('is stored with every field, exact', async () => {
    const state = stateWith({
      address: address('every field'),
      admin_address: `0:${'AB'.repeat(32)}`,
      total_supply: (2n ** 120n - 1n).toString(),
      offchain_image: 'https://off.example/1.png',
      offchain_description: 'Тон 💎',
      admin_offchain_address: `-1:${'CD'.repeat(32)}`,
      links: [{ name: 'site', url: 'https://jetton.example', type: 'website' }],
      created_at: 1_700_000_000,
    });
    await writerOf(0).write([state], owned);
    expect(await rowOf(state.address)).toMatchObject({
      name: 'Jetton',
      symbol: 'JET',
      description: 'A jetton.',
      image: 'https://images.example/1.png',
      decimals: 9,
      mintable: false,
      admin: `0:${'ab'.repeat(32)}`,
      codeHash: '07'.repeat(32),
      totalSupply: (2n ** 120n - 1n).toString(),
      offchainImage: 'https://off.example/1.png',
      offchainDescription: 'Тон 💎',
      adminOffchainAddress: `-1:${'cd'.repeat(32)}`,
      links: [{ name: 'site', url: 'https://jetton.example', type: 'LINK_TYPE_WEBSITE' }],
      createdAtS: '1700000000',
      earliestUpdateS: '1767225600',
      earliestRecordS: String(recordMs / 1_000),
      updateTimeS: '1767312000',
    });
  }, 300_000);

  it('gets a new change number when something changes, and none for a repeat', async () => {
    const jetton = address('numbers');
    const numberOf = async () => BigInt((await rowOf(jetton.toLowerCase())).changeNumber);
    const state = stateWith({ address: jetton });
    await writerOf(0).write([state], owned);
    const first = await numberOf();
    await writerOf(1).write([state, state], owned);
    expect(await numberOf()).toBe(first);
    await writerOf(1).write(
      [stateWith({ address: jetton, name: 'Other', update_time_metadata: 1_767_400_000 })],
      owned,
    );
    expect(await numberOf()).toBeGreaterThan(first);
  }, 300_000);

  it('of many jettons is written in few statements, and keeps only messages that say something', async () => {
    const states = Array.from({ length: 1_200 }, (_, index) => stateWith({ address: address(`many ${index}`) }));
    await writerOf(0).write(states, owned);
    const jetton = states[7]?.address ?? '';
    for (let edition = 1; edition < 4; edition += 1) {
      const update = {
        address: jetton,
        description: `edition ${edition}`,
        update_time_metadata: 1_767_400_000 + edition,
      };
      await writerOf(0).write([stateWith(update)], owned);
    }
    expect(await keptOf(jetton)).toBe(1);
    expect((await rowOf(jetton)).description).toBe('edition 3');
    const [count] = await database.query<{ rows: number }[]>('SELECT count(*)::int AS rows FROM jetton_metadata');
    expect(count?.rows).toBeGreaterThanOrEqual(1_200);
  }, 300_000);

  it('is the same in whatever order, batches and repeats two writers bring it', async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    console.log(`metadata writer: seed ${seed}`);
    let run = 0;
    const message = fc.record({
      jetton: fc.nat(1),
      update_time_metadata: fc.constantFrom<number | null>(null, 0, 1_767_312_000, 1_767_312_001),
      name: fc.constantFrom('a', 'b', null),
      total_supply: fc.constantFrom('1', '2', null),
      links: fc.constantFrom(null, [], [{ name: 'n', url: 'https://n.example', type: null }]),
      later: fc.nat(1),
    });
    const delivery = fc.record({
      messages: fc.array(message, { minLength: 1, maxLength: 10 }),
      order: fc.infiniteStream(fc.nat(99)),
      batch: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(delivery, async ({ messages, order, batch }) => {
        run += 1;
        const states = messages.map(({ jetton, later, ...fields }) =>
          stateWith({ ...fields, address: address(`run ${run} jetton ${jetton}`) }, recordMs + later * 1_000),
        );
        const delivered = [...states, ...states]
          .map((state) => ({ state, rank: order.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ state }) => state);
        const work = [0, 1].map(async (index) => {
          const own = delivered.filter((_, place) => place % 2 === index);
          for (let at = 0; at < own.length; at += batch) await writerOf(index).write(own.slice(at, at + batch), owned);
        });
        await Promise.all(work);
        for (const [jetton, ofJetton] of Map.groupBy(states, (state) => state.address)) {
          const { changeNumber: _, ...row } = await rowOf(jetton);
          expect(row).toEqual(mergeMetadata(undefined, ofJetton).row);
        }
      }),
      { numRuns: 25, seed },
    );
  }, 600_000);
});
