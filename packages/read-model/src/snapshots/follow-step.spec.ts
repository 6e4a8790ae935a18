import { describe, expect, it } from '@jest/globals';
import { type Step, steps } from '@jetton-analytics/figures';
import * as fc from 'fast-check';
import { FakeSnapshotStore, type StoreEvent } from '../../test/fake-snapshot-store.js';
import { followOnce } from './follow-step.js';
import { Snapshots } from './snapshots.js';
import type { StepTable } from './step-table.js';

const snapshot = (step: Step): StoreEvent[] => [
  { kind: 'write', step },
  { kind: 'mark', step },
];
const everySnapshot: StoreEvent[] = steps.flatMap(snapshot);

function storeAfter(...events: StoreEvent[]): FakeSnapshotStore {
  const store = new FakeSnapshotStore();
  for (const event of events) store.apply(event);
  return store;
}

async function followed(store: FakeSnapshotStore, model = new Snapshots()): Promise<Snapshots> {
  await followOnce(store, model);
  return model;
}

/** All keys of a table with their figures, markets as `jetton|pool`. */
function contentOf({ jettons, markets }: StepTable): Map<string, string> {
  const flat = new Map(jettons);
  for (const [jetton, pools] of markets) for (const [pool, figures] of pools) flat.set(`${jetton}|${pool}`, figures);
  return flat;
}

describe('following the snapshots', () => {
  it('shows nothing before a full snapshot of every step is marked', async () => {
    const store = storeAfter({ kind: 'elect', clock: 'wall' }, { kind: 'change', key: 'a', value: '1' });
    const model = await followed(store);
    expect(model.calculatedAt).toBeUndefined();
    for (const step of ['mid', 'long'] as const) for (const event of snapshot(step)) store.apply(event);
    expect((await followed(store, model)).calculatedAt).toBeUndefined();
    for (const event of snapshot('short')) store.apply(event);
    expect((await followed(store, model)).calculatedAt).toBeDefined();
    expect(model.jetton('a')).toEqual({ short: '1', mid: '1', long: '1' });
  });

  it('lets be read what must be known of jettons before a short step shows them', async () => {
    const store = storeAfter(
      { kind: 'elect', clock: 'wall' },
      { kind: 'change', key: 'a', value: '1' },
      ...everySnapshot,
    );
    const model = new Snapshots();
    const shown: unknown[] = [];
    await followOnce(store, model, async () => void shown.push(model.jetton('a')));
    expect([shown, model.jetton('a')?.short]).toEqual([[undefined], '1']);
  });

  it('does not show rows whose marker is not there yet', async () => {
    const store = storeAfter(
      { kind: 'elect', clock: 'wall' },
      { kind: 'change', key: 'a', value: '1' },
      ...everySnapshot,
    );
    const model = await followed(store);
    store.apply({ kind: 'change', key: 'a', value: '2' });
    store.apply({ kind: 'write', step: 'short' });
    store.apply({ kind: 'merge' });
    expect((await followed(store, model)).jetton('a')?.short).toBe('1');
    store.apply({ kind: 'mark', step: 'short' });
    expect((await followed(store, model)).jetton('a')).toEqual({ short: '2', mid: '1', long: '1' });
  });

  it('removes a jetton and a market that are no longer known', async () => {
    const store = storeAfter(
      { kind: 'elect', clock: 'wall' },
      { kind: 'change', key: 'a', value: '1' },
      { kind: 'change', key: 'a|p', value: '1' },
      { kind: 'change', key: 'a|q', value: '1' },
      ...everySnapshot,
    );
    const model = await followed(store);
    expect(model.counts).toEqual({ jettons: 1, markets: 2 });
    store.apply({ kind: 'change', key: 'a|p', value: null });
    for (const event of snapshot('short')) store.apply(event);
    await followed(store, model);
    expect(model.market('a', 'p')).toBeUndefined();
    expect(model.counts).toEqual({ jettons: 1, markets: 1 });
    store.apply({ kind: 'change', key: 'a', value: null });
    for (const event of snapshot('short')) store.apply(event);
    expect((await followed(store, model)).jetton('a')).toBeUndefined();
  });

  it('keeps the former term until the new one has a full snapshot, then swaps the step as a whole', async () => {
    const store = storeAfter(
      { kind: 'elect', clock: 'wall' },
      { kind: 'change', key: 'a', value: '1' },
      { kind: 'change', key: 'b', value: '1' },
      ...everySnapshot,
    );
    const model = await followed(store);
    store.apply({ kind: 'elect', clock: 'wall' });
    store.apply({ kind: 'change', key: 'b', value: null });
    store.apply({ kind: 'change', key: 'a', value: '2' });
    store.apply({ kind: 'write', step: 'short' });
    await followed(store, model);
    expect([model.jetton('a')?.short, model.jetton('b')?.short]).toEqual(['1', '1']);
    store.apply({ kind: 'mark', step: 'short' });
    store.apply({ kind: 'dropFormerTerms' });
    await followed(store, model);
    expect([model.jetton('a')?.short, model.jetton('b')]).toEqual(['2', undefined]);
    expect(model.table('mid')?.marker.term).toBe(1);
  });

  it('drops snapshots of another clock as soon as a term with another one begins', async () => {
    const store = storeAfter(
      { kind: 'elect', clock: 'wall' },
      { kind: 'change', key: 'a', value: '1' },
      ...everySnapshot,
    );
    const model = await followed(store);
    store.apply({ kind: 'elect', clock: 'event' });
    await followed(store, model);
    expect([model.clock, model.calculatedAt, model.jetton('a')]).toEqual(['event', undefined, undefined]);
    for (const event of everySnapshot) store.apply(event);
    expect((await followed(store, model)).jetton('a')?.short).toBe('1');
  });

  it('leaves the model as it was when the store fails in the middle', async () => {
    let callsLeft = Infinity;
    const store = new FakeSnapshotStore(() => {
      callsLeft -= 1;
      if (callsLeft < 0) throw new Error('the store is away');
    });
    store.apply({ kind: 'elect', clock: 'wall' });
    store.apply({ kind: 'change', key: 'a', value: '1' });
    for (const event of everySnapshot) store.apply(event);
    const model = await followed(store);
    store.apply({ kind: 'change', key: 'a', value: '2' });
    for (const event of everySnapshot) store.apply(event);
    for (let calls = 0; calls < 5; calls += 1) {
      callsLeft = calls;
      await expect(followOnce(store, model)).rejects.toThrow('the store is away');
      expect(model.jetton('a')?.short).toBe('1');
    }
    callsLeft = Infinity;
    expect((await followed(store, model)).jetton('a')?.short).toBe('2');
  });
});

const one = (event: fc.Arbitrary<StoreEvent>): fc.Arbitrary<StoreEvent[]> => event.map((value) => [value]);
const stepArb = fc.constantFrom(...steps);
const keyArb = fc.constantFrom('a', 'b', 'c', 'a|p', 'a|q', 'b|p');
const changeArb: fc.Arbitrary<StoreEvent> = fc.record({
  kind: fc.constant('change'),
  key: keyArb,
  value: fc.constantFrom('0', '1', '2', '3', null),
});
/** A key is overwritten twice and merged away in between two marks: what the two slots are for. */
const churnArb: fc.Arbitrary<StoreEvent[]> = fc
  .record({ step: stepArb, key: keyArb })
  .map(({ step, key }) =>
    ['x', 'y', 'z'].flatMap((value): StoreEvent[] => [
      { kind: 'mark', step },
      { kind: 'change', key, value },
      { kind: 'write', step },
      { kind: 'merge' },
    ]),
  );
const eventsArb: fc.Arbitrary<StoreEvent[]> = fc.oneof(
  { weight: 6, arbitrary: one(changeArb) },
  { weight: 6, arbitrary: one(fc.record({ kind: fc.constant('write'), step: stepArb })) },
  { weight: 6, arbitrary: one(fc.record({ kind: fc.constant('mark'), step: stepArb })) },
  { weight: 2, arbitrary: one(fc.record({ kind: fc.constantFrom('merge', 'dropFormerTerms') })) },
  {
    weight: 1,
    arbitrary: one(fc.record({ kind: fc.constant('elect'), clock: fc.constantFrom('wall', 'wall', 'event') })),
  },
  { weight: 4, arbitrary: churnArb },
);

describe('whatever happens to the store while it is read', () => {
  it('every table is exactly what its marker published, and the newest one in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(eventsArb, { minLength: 20, maxLength: 300 }),
        fc.array(fc.nat(4), { minLength: 10, maxLength: 60 }),
        async (groups, bursts) => {
          const script = [...groups];
          let burst = 0;
          const store = new FakeSnapshotStore((self) => {
            const count = bursts[burst % bursts.length] ?? 0;
            burst += 1;
            for (const event of script.splice(0, count).flat()) self.apply(event);
          });
          store.apply({ kind: 'elect', clock: 'wall' });
          const model = new Snapshots();
          const check = () => {
            for (const step of steps) {
              const table = model.table(step);
              if (table === undefined) continue;
              const { term, version } = table.marker;
              const expected = store.published.get(FakeSnapshotStore.publishedKey(term, step, version));
              expect(contentOf(table)).toEqual(expected);
              expect(table.marketCount).toBe([...contentOf(table).keys()].filter((key) => key.includes('|')).length);
            }
          };
          // Bursts of nothing only would never end the script.
          for (let round = 0; script.length > 0 && round < 400; round += 1) {
            await followOnce(store, model);
            check();
            for (const event of script.shift() ?? []) store.apply(event);
          }
          for (const event of everySnapshot) store.apply(event);
          await followOnce(store, model);
          check();
          expect(model.calculatedAt).toBeDefined();
          const newest = await store.newestTerm();
          expect(steps.map((step) => model.table(step)?.marker.term)).toEqual(steps.map(() => newest?.term));
        },
      ),
      { numRuns: 300 },
    );
  });
});
