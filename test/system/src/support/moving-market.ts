import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedTopics } from './deployment.js';
import { Random } from './random.js';
import type { ProducedRecord } from './topic.js';

const partitions = 4;
const pauseMs = 400;
const native = `0:${'0'.repeat(64)}`;
const account = (name: string) => createHash('sha256').update(name).digest('hex').toUpperCase();
const address = (name: string) => `0:${account(name)}`;

const walkersCount = 60;
/** Jettons that every walk must meet: their name is found by `search=walker`. Raw, as answers show them. */
export const walkers = Array.from({ length: walkersCount }, (_, n) => address(`walker ${n}`).toLowerCase());
export const walkersAdmin = address('administrator of every third');
/** The jetton whose metadata is as hostile as it may be. */
export const hostile = address('hostile').toLowerCase();
const hostileText = `\u202e<img src=x onerror=alert(1)>\u0000\u009f"}],"\u2066`;

type Batch = Record<keyof FeedTopics, ProducedRecord[]>;

/** A market that trades by the wall clock, jetton after jetton, while the rest of a test goes on. */
export class MovingMarket {
  readonly #random: Random;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #events = 0;
  /** Trades produced so far. */
  trades = 0;

  constructor(
    seed: number,
    private readonly topics: FeedTopics,
  ) {
    this.#random = new Random(seed);
  }

  /** Resolves once the first messages of all four topics are produced; then it goes on until `stop`. */
  async start(): Promise<void> {
    const first: Batch = { trades: [], pools: [], metadata: [], balances: [] };
    const now = Math.floor(Date.now() / 1_000);
    for (const [n, walker] of walkers.entries()) {
      first.metadata.push(this.#metadata(walker.toUpperCase(), `The walker ${n}`, n, now));
      this.#move(first, n, now - 60);
    }
    first.metadata.push(this.#hostile(now));
    await this.#produce(first);
    this.#running = this.#goOn();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stop;
    for (let round = 0; !signal.aborted; round += 1) {
      const batch: Batch = { trades: [], pools: [], metadata: [], balances: [] };
      const now = Math.floor(Date.now() / 1_000);
      for (let n = 0; n < 8; n += 1) this.#move(batch, this.#random.integer(0, walkersCount - 1), now - 1);
      // A newcomer now and then: later walks may meet it, a walk under way must not.
      if (round % 10 === 0)
        batch.metadata.push(this.#metadata(address(`newcomer ${round}`), `Newcomer ${round}`, round, now));
      await this.#produce(batch);
      await sleep(pauseMs);
    }
  }

  async #produce(batch: Batch): Promise<void> {
    this.trades += batch.trades.length;
    const topics = Object.entries(batch) as [keyof FeedTopics, ProducedRecord[]][];
    await Promise.all(topics.filter(([, { length }]) => length > 0).map(([name, of]) => this.topics[name].produce(of)));
  }

  /** A trade of a walker, the new state of its pool and a new balance. */
  #move(batch: Batch, n: number, now: number): void {
    const random = this.#random;
    this.#events += 1;
    const jetton = address(`walker ${n}`);
    const ton = random.integer(1, 500);
    const [sold, bought] = random.chance(0.5) ? [native, jetton] : [jetton, native];
    const amounts = [String(BigInt(ton) * 10n ** 9n), `${random.integer(1, 900)}000000000`];
    const [soldAmount, boughtAmount] = sold === native ? amounts : amounts.toReversed();
    batch.trades.push(
      this.#record({
        tx_hash: createHash('sha256').update(`move ${this.#events}`).digest('base64'),
        event_type: 'trade',
        event_time: now,
        project_type: 'dex',
        project: 'dedust',
        trader_address: address(`trader ${random.integer(0, 30)}`),
        pool_address: address(`pool of walker ${n}`),
        token_sold_address: sold,
        token_bought_address: bought,
        amount_sold_raw: soldAmount,
        amount_bought_raw: boughtAmount,
        volume_usd: `${ton * 3}.5`,
        volume_ton: String(ton),
      }),
    );
    batch.pools.push(
      this.#record({
        pool: address(`pool of walker ${n}`),
        project: 'dedust',
        jetton_left: native,
        jetton_right: jetton,
        tvl_usd: `${random.integer(1, 900_000)}.25`,
        last_updated: now,
      }),
    );
    batch.balances.push(
      this.#record({
        address: address(`holder ${random.integer(0, 40)}`),
        asset: jetton,
        amount: random.digits(random.integer(1, 12)),
        timestamp: now,
        lt: this.#events,
      }),
    );
  }

  #metadata(jetton: string, name: string, n: number, now: number): ProducedRecord {
    return this.#record({
      address: jetton,
      name,
      symbol: `W${n}`,
      decimals: 9,
      mintable: n % 2 === 0,
      admin_address: n % 3 === 0 ? walkersAdmin : null,
      total_supply: `${(n % 7) + 1}000000000000`,
      update_time_onchain: now - 100 - (n % 5), // many ties
    });
  }

  #hostile(now: number): ProducedRecord {
    return this.#record({
      address: hostile.toUpperCase(),
      name: hostileText + 'n'.repeat(900_000),
      symbol: hostileText.repeat(20),
      description: hostileText.repeat(400),
      image: 'javascript:alert(1)',
      links: [
        { name: hostileText, url: 'javascript:alert(1)', type: 'LINK_TYPE_WEBSITE' },
        { name: hostileText, url: 'https://example.com/', type: '<script>' },
      ],
      update_time_onchain: now,
    });
  }

  #record(fields: object): ProducedRecord {
    const partition = this.#random.integer(0, partitions - 1);
    return { value: Buffer.from(JSON.stringify(fields)), recordMs: Date.now(), partition };
  }
}
