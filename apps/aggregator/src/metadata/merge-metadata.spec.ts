import { describe, expect, it } from '@jest/globals';
import { compareStates, type MetadataState, parseMetadataMessage } from '@jetton-analytics/feed';
import * as fc from 'fast-check';
import { assets } from '../../test/feed-messages.js';
import { metadataMessage, stateOf } from '../../test/state-messages.js';
import { mergeMetadata, type MetadataRow } from './merge-metadata.js';

const recordMs = Date.UTC(2026, 0, 2);
const stateWith = (fields: Readonly<Record<string, unknown>>, timestampMs = recordMs): MetadataState =>
  stateOf((message) => parseMetadataMessage(message, assets), metadataMessage(fields), timestampMs);
const rowOf = (...messages: MetadataState[]): MetadataRow => mergeMetadata(undefined, messages).row;
const at = (seconds: number | null) => ({ update_time_onchain: seconds, update_time_metadata: null });
const named = (name: string, timestampMs?: number) => stateWith({ ...at(10), name }, timestampMs);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

describe('the metadata of a jetton', () => {
  it('takes all of the feed’s own fields from the newest message: what it leaves out is unknown again', () => {
    const first = stateWith({ ...at(10), description: 'old', admin_address: `0:${'AB'.repeat(32)}` });
    const second = stateWith({ ...at(20), name: 'New', description: null, admin_address: null, mintable: null });
    expect(rowOf(first)).toMatchObject({ description: 'old', admin: `0:${'ab'.repeat(32)}` });
    expect(rowOf(first, second)).toMatchObject({ name: 'New', description: null, admin: null, mintable: null });
  });

  it('keeps each extension from the newest message that carries it', () => {
    const first = stateWith({ ...at(10), total_supply: '100', created_at: 7, offchain_image: 'https://a.example' });
    const second = stateWith({ ...at(20), total_supply: '200', offchain_image: null });
    const third = stateWith({ ...at(30), links: [], offchain_description: '' });
    expect(rowOf(first, second, third)).toMatchObject({
      totalSupply: '200',
      createdAtS: '7',
      offchainImage: 'https://a.example',
      links: [],
      offchainDescription: null,
    });
  });

  it('knows the earliest update time and record ever seen, from whichever message', () => {
    const early = stateWith({ update_time_onchain: 5, update_time_metadata: 90 }, recordMs + 60_000);
    const late = stateWith({ update_time_onchain: null, update_time_metadata: 80 }, recordMs);
    const times = { earliestUpdateS: '5', earliestRecordS: String(recordMs / 1_000), updateTimeS: '90' };
    expect(rowOf(early, late)).toMatchObject(times);
    expect(mergeMetadata(rowOf(early), [late]).row).toMatchObject({ earliestUpdateS: '5' });
    expect(rowOf(stateWith(at(null)))).toMatchObject({ earliestUpdateS: null, updateTimeS: '0' });
  });

  it('orders messages of one update time by record, then by their bytes', () => {
    expect(rowOf(named('A', recordMs + 1), named('B')).name).toBe('A');
    expect(rowOf(named('B'), named('A')).name).toBe('B');
  });

  it('is the same in whatever order, batches and repeats the messages come, from what was kept of the earlier ones', () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    console.log(`merge metadata: seed ${seed}`);
    const message = fc
      .record({
        update_time_onchain: maybe(fc.integer({ min: 0, max: 3 })),
        update_time_metadata: maybe(fc.integer({ min: 0, max: 3 })),
        name: maybe(fc.constantFrom('a', 'b', '')),
        total_supply: maybe(fc.constantFrom('1', '2')),
        offchain_image: maybe(fc.constantFrom('', 'https://x.example')),
        offchain_description: maybe(fc.constantFrom('', 'd')),
        admin_offchain_address: maybe(fc.constant(`0:${'1'.repeat(64)}`)),
        links: maybe(fc.constantFrom([], [{ name: 'n', url: 'https://n.example', type: 'x' }])),
        created_at: maybe(fc.nat(2)),
        later: fc.nat(2),
      })
      .map(({ later, ...fields }) => stateWith(fields, recordMs + later * 1_000));
    fc.assert(
      fc.property(
        fc
          .array(message, { minLength: 1, maxLength: 10 })
          .chain((messages) =>
            fc.tuple(
              fc.constant(messages),
              fc.shuffledSubarray([...messages, ...messages], { minLength: 2 * messages.length }),
              fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 20, maxLength: 20 }),
            ),
          ),
        ([messages, delivered, sizes]) => {
          let known: { row: MetadataRow; messages: readonly MetadataState[] } | undefined;
          for (let rest = delivered, batch = 0; rest.length > 0; batch += 1) {
            const size = sizes[batch] ?? 1;
            known = mergeMetadata(known?.row, [...(known?.messages ?? []), ...rest.slice(0, size)]);
            expect(known.messages.length).toBeLessThanOrEqual(7);
            rest = rest.slice(size);
          }
          expect(known?.row).toEqual(naiveRow(messages));
        },
      ),
      { numRuns: 500, seed },
    );
  });
});

/** The row computed from all messages at once, field by field. */
function naiveRow(messages: readonly MetadataState[]): MetadataRow {
  const newestFirst = messages.toSorted((a, b) => compareStates(b, a));
  const [newest] = newestFirst;
  if (newest === undefined) throw new Error('no message');
  const carried = <T>(read: (state: MetadataState) => T | null): T | null =>
    newestFirst.map(read).find((value) => value !== null) ?? null;
  const updates = messages.flatMap(({ earliestUpdate }) => earliestUpdate ?? []);
  const createdAt = carried(({ extensions }) => extensions.createdAt);
  return {
    address: newest.address,
    name: newest.fields.name || null,
    symbol: 'JET',
    description: 'A jetton.',
    image: 'https://images.example/1.png',
    decimals: 9,
    mintable: false,
    admin: null,
    codeHash: '07'.repeat(32),
    totalSupply: carried(({ extensions }) => extensions.totalSupply)?.toString() ?? null,
    offchainImage: carried(({ extensions }) => extensions.offchainImage) || null,
    offchainDescription: carried(({ extensions }) => extensions.offchainDescription) || null,
    adminOffchainAddress: carried(({ extensions }) => extensions.adminOffchainAddress),
    links: carried(({ extensions }) => extensions.links) as MetadataRow['links'],
    createdAtS: createdAt === null ? null : String(createdAt),
    earliestUpdateS: updates.length === 0 ? null : String(Math.min(...updates)),
    earliestRecordS: String(Math.min(...messages.map(({ recordTimestampMs }) => recordTimestampMs / 1_000))),
    updateTimeS: newest.order.toString(),
  };
}
