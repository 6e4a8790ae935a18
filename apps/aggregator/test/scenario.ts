import { legsOf } from '@jetton-analytics/feed';
import { steps, type Step, windows } from '@jetton-analytics/figures';
import * as fc from 'fast-check';
import type { TradeWriter } from '../src/trades/trade-writer.js';
import { address, assets, ledgerTrade, nativeAddress, type TradeFields, usdtAddress } from './feed-messages.js';

const jettons = ['j0', 'j1', 'j2', 'j3', 'j4'].map(address);
const pools = [null, ...['p0', 'p1', 'p2'].map(address)];
const traders = [null, ...['t0', 't1', 't2'].map(address)];

/** How far behind the clock an event lies: just now, around an edge of a window, anywhere in two months, or ahead. */
const ages = fc.oneof(
  fc.integer({ min: 0, max: 400 }),
  fc
    .tuple(
      fc.constantFrom(...windows.map(({ seconds }) => seconds)),
      fc.constantFrom(1, 2),
      fc.integer({ min: -90, max: 90 }),
    )
    .map(([seconds, times, around]) => seconds * times + around),
  fc.integer({ min: 0, max: 61 * 86_400 }),
  fc.integer({ min: -120, max: 0 }),
);
const volumes = fc.oneof(
  fc.constant(null),
  fc.constantFrom('0', '0.999999', '1', '0.000000000000000001'),
  fc.integer({ min: 1, max: 5_000 }).map((cents) => (cents / 10).toString()),
);
const amounts = fc.oneof(
  fc.constantFrom('1', '999', '1000'),
  fc.integer({ min: 1, max: 9_999 }).map((n) => `${n}000000`),
);

const contents = fc.record({
  amountSold: amounts,
  amountBought: amounts,
  volumeUsd: volumes,
  volumeTon: volumes,
  trader: fc.constantFrom(...traders),
});

/** What happens to the ledger: a new event, or another message about the nth event from the end. */
const messages = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('new' as const),
      jetton: fc.constantFrom(...jettons),
      // Against native, a stable, or another jetton; a pool is not tied to one of them, so counterparts change.
      other: fc.constantFrom(nativeAddress, nativeAddress, usdtAddress, ...jettons.slice(0, 2)),
      isBuy: fc.boolean(),
      pool: fc.constantFrom(...pools),
      ageSeconds: ages,
      content: contents,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('correct' as const), nth: fc.nat({ max: 30 }), content: contents }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retract' as const), nth: fc.nat({ max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), nth: fc.nat({ max: 30 }) }) },
);
type Message = typeof messages extends fc.Arbitrary<infer M> ? M : never;

const batchesOf = (messagesMin: number, messagesMax: number) =>
  fc.record({
    partition: fc.nat({ max: 1 }),
    messages: fc.array(messages, { minLength: messagesMin, maxLength: messagesMax }),
  });

/** What the ledger holds before the first turn: two months of trades, so that every window has two sides. */
export const histories = fc.array(batchesOf(50, 80), { minLength: 2, maxLength: 2 });

/** One turn: time passes, messages arrive in batches of two partitions, facts change, and some steps take a snapshot. */
export const turns = fc.record({
  // Within a minute, over whole minutes, an hour's end and a jump that is not followed.
  passSeconds: fc.oneof(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 3, max: 200 }),
    fc.constantFrom(60, 3_600, 3_601),
    fc.integer({ min: 200, max: 9_000 }),
  ),
  batches: fc.array(batchesOf(0, 12), { maxLength: 2 }),
  /** Whether the positions told to the snapshot hold these batches already, or only the next one's do. */
  isPositionTold: fc.boolean(),
  isMaterialised: fc.boolean(),
  /** What metadata and pool states say from now on. */
  decimals: fc.array(
    fc.record({
      jetton: fc.constantFrom(...jettons.map((jetton) => jetton.toLowerCase())),
      decimals: fc.constantFrom(undefined, 0, 6, 9, 18),
    }),
    { maxLength: 2 },
  ),
  states: fc.array(
    fc.record({
      pool: fc.constantFrom(...['p0', 'p1', 'p2', 'p3'].map((pool) => address(pool).toLowerCase())),
      left: fc.constantFrom('', 'ton', ...jettons.slice(0, 3).map((jetton) => jetton.toLowerCase())),
      right: fc.constantFrom('ton', usdtAddress, ...jettons.slice(2).map((jetton) => jetton.toLowerCase())),
    }),
    { maxLength: 2 },
  ),
  steps: fc.uniqueArray(fc.constantFrom<Step>(...steps), { minLength: 1 }),
});
export type Turn = typeof turns extends fc.Arbitrary<infer T> ? T : never;

/** A ledger to which turns happen. */
export class Scenario {
  readonly #events: TradeFields[] = [];
  readonly #next = new Map([
    [0, 0],
    [1, 0],
  ]);
  #recordMs: number;

  constructor(
    private readonly writer: TradeWriter,
    public now: number,
  ) {
    // Ahead of every event the scenario may come to.
    this.#recordMs = (now + 10_000_000) * 1_000;
  }

  /** Per partition the next offset. */
  get positions(): Map<number, string> {
    return new Map([...this.#next].map(([partition, next]) => [partition, String(next)]));
  }

  async write(batch: Turn['batches'][number]): Promise<void> {
    const trades = batch.messages.flatMap((message) => {
      const fields = this.#fieldsOf(message);
      this.#recordMs += 1;
      return fields === undefined ? [] : [ledgerTrade(fields, this.#recordMs)];
    });
    const next = (this.#next.get(batch.partition) ?? 0) + Math.max(1, batch.messages.length);
    await this.writer.write({
      partition: batch.partition,
      lastOffset: String(next - 1),
      legs: trades.flatMap((trade) => legsOf(trade, assets)),
      assertOwned: () => undefined,
    });
    this.#next.set(batch.partition, next);
  }

  #fieldsOf(message: Message): TradeFields | undefined {
    if (message.kind === 'new') {
      const { jetton, other, isBuy, pool, ageSeconds, content } = message;
      const [sold, bought] = isBuy ? [other, jetton] : [jetton, other];
      const fields = {
        tx: `tx ${this.#events.length}`,
        eventTime: this.now - ageSeconds,
        sold,
        bought,
        pool,
        ...content,
      };
      this.#events.push(fields);
      return fields;
    }
    const index = this.#events.length - 1 - message.nth;
    const known = this.#events[index];
    if (known === undefined) return undefined;
    const fields =
      message.kind === 'repeat'
        ? known
        : message.kind === 'retract'
          ? { ...known, deleted: true }
          : { ...known, ...message.content, deleted: false, revision: (known.revision ?? 0) + 1 };
    this.#events[index] = fields;
    return fields;
  }
}
