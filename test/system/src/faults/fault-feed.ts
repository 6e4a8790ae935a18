import { createHash } from 'node:crypto';
import { defaultAssets } from '../oracle/assets.js';
import { badValues } from '../support/bad-messages.js';
import { Random } from '../support/random.js';
import type { ProducedRecord } from '../support/topic.js';

/** A message as member name → JSON text, so that numbers can be written in every form. */
type Members = Readonly<Record<string, string>>;

interface Draft {
  readonly members: Members;
  readonly eventTime: number;
}

const startSeconds = Date.UTC(2026, 2, 2, 21, 17, 5) / 1_000;
const lateSecondsMax = 60 * 86_400;
/** Late messages of one stretch of the feed lie around this many instants: a backfill, not noise over two months. */
const lateAnchors = 3;
const eventsPerAnchors = 3_000;
const eventsRemembered = 4_000;
/** A record is produced up to about this many others later than it was made. */
const reorderedOver = 400;
const poisonShare = 0.015;
const skippedShare = 0.015;
const sequelShare = 0.1;

const address = (name: string) => `0:${createHash('sha256').update(name).digest('hex').toUpperCase()}`;
/** Those that are traded, from the first record on. */
export const feedJettons: readonly string[] = Array.from({ length: 24 }, (_, n) => address(`jetton ${n}`));
const quoted = (text: string) => JSON.stringify(text);
const upper = (addresses: Iterable<string>) => [...addresses].map((one) => one.toUpperCase());
const quotes = [...upper(defaultAssets.native), ...upper(defaultAssets.stables), ...upper(defaultAssets.lsds)];

/**
 * An endless hostile feed, wholly given by its seed: 10 % repeats, reordering, late messages, revisions and retractions
 * (some before their original), contradictions, and poison of every kind, over all partitions.
 */
export class FaultFeed {
  readonly #random: Random;
  readonly #markets: { readonly pool: string; readonly sides: readonly [string, string] }[];
  readonly #wallets = Array.from({ length: 40 }, (_, n) => address(`wallet ${n}`));
  readonly #recent: Draft[] = [];
  readonly #waiting: ProducedRecord[] = [];
  readonly #partitions: number;
  readonly #secondsPerEvent: number;
  #anchors: number[] = [];
  #events = 0;
  #poisonOf: { readonly hour: number; readonly values: readonly Buffer[] } = { hour: -1, values: [] };

  constructor(seed: number, partitions: number, secondsPerEvent: number) {
    this.#random = new Random(seed);
    this.#partitions = partitions;
    this.#secondsPerEvent = secondsPerEvent;
    const jettons = feedJettons;
    this.#markets = Array.from({ length: 48 }, (_, n) => {
      const other = n % 6 === 5 ? this.#random.pick(jettons) : this.#random.pick(quotes);
      return { pool: address(`pool ${n}`), sides: [jettons[n % jettons.length] ?? '', other] };
    });
  }

  /** How many records were made of new events so far. */
  get events(): number {
    return this.#events;
  }

  /** The next records, in the order in which they are to be produced. */
  next(count: number): ProducedRecord[] {
    return Array.from({ length: count }, () => {
      while (this.#waiting.length < reorderedOver) this.#waiting.push(...this.#make());
      return this.#take();
    });
  }

  /** What is left at the end, in one go. */
  rest(): ProducedRecord[] {
    return this.#waiting.splice(0);
  }

  #take(): ProducedRecord {
    const index = this.#random.integer(0, this.#waiting.length - 1);
    const last = this.#waiting.pop();
    const taken = this.#waiting[index] ?? last;
    if (taken === undefined || last === undefined) throw new Error('nothing waits');
    if (index < this.#waiting.length) this.#waiting[index] = last;
    return taken;
  }

  /** Where the simulated time is, Unix seconds. */
  get now(): number {
    return startSeconds + Math.floor(this.#events * this.#secondsPerEvent);
  }

  #make(): ProducedRecord[] {
    const random = this.#random;
    const roll = random.next();
    if (roll < poisonShare) return [this.#poison()];
    if (roll < poisonShare + skippedShare) return [this.#skipped()];
    if (roll < poisonShare + skippedShare + sequelShare && this.#recent.length > 0) {
      return this.#sequel(random.pick(this.#recent));
    }
    const draft = this.#trade();
    this.#remember(draft);
    const record = this.#record(draft);
    // Every tenth comes a second time, from another partition, at the same record time or a later one.
    if (random.chance(0.1)) return [record, random.chance(0.3) ? this.#elsewhere(record) : this.#record(draft)];
    // What corrects it may be made first.
    if (random.chance(0.02)) return [...this.#sequel(draft), record];
    return [record];
  }

  #remember(draft: Draft): void {
    if (this.#recent.length < eventsRemembered) this.#recent.push(draft);
    else this.#recent[this.#random.integer(0, eventsRemembered - 1)] = draft;
  }

  #trade(): Draft {
    const random = this.#random;
    if (this.#events % eventsPerAnchors === 0) {
      this.#anchors = Array.from({ length: lateAnchors }, () => this.now - random.integer(3_600, lateSecondsMax));
    }
    this.#events += 1;
    const eventTime = random.chance(0.05)
      ? random.pick(this.#anchors) + random.integer(0, 3_599)
      : this.now - (random.chance(0.2) ? random.integer(0, 900) : 0);
    const { pool, sides } = random.pick(this.#markets);
    const [sold, bought] = random.chance(0.5) ? sides : [sides[1], sides[0]];
    const members = {
      tx_hash: quoted(createHash('sha256').update(`tx ${this.#events}`).digest('base64')),
      event_type: '"trade"',
      event_time: String(eventTime),
      project_type: '"dex"',
      pool_address: random.chance(0.04) ? 'null' : quoted(pool),
      token_sold_address: quoted(sold),
      token_bought_address: quoted(bought),
      ...this.#content(),
    };
    return { eventTime, members };
  }

  /** The fields that a later message about the same event may change. */
  #content(): Members {
    const random = this.#random;
    const amount = () => {
      if (random.chance(0.02)) return random.pick(['"0"', 'null']);
      const digits = random.digits(random.integer(4, 20));
      return random.pick([quoted(digits), quoted(`${digits}E+3`), digits]);
    };
    const volume = () => {
      if (random.chance(0.05)) return 'null';
      if (random.chance(0.03)) return random.pick(['"0E-9"', '"1E-7"', '"1"', '"0.9999999999999999995"', '0.1']);
      return quoted(`${random.integer(0, 5_000)}.${random.digits(random.integer(1, 20))}`);
    };
    return {
      amount_sold_raw: amount(),
      amount_bought_raw: amount(),
      volume_usd: volume(),
      volume_ton: volume(),
      trader_address: random.chance(0.05) ? 'null' : quoted(random.pick(this.#wallets)),
      project: random.pick(['"dedust"', '"stonfi"', 'null']),
    };
  }

  /** Messages that speak of an earlier event: repeats, revisions, retractions, contradictions. */
  #sequel({ members, eventTime }: Draft): ProducedRecord[] {
    const random = this.#random;
    const revision = String(random.integer(1, 4));
    const of = (overrides: Members) => this.#record({ eventTime, members: { ...members, ...overrides } });
    const retraction = (rest: Members = {}) =>
      of({ ...this.#content(), amount_sold_raw: '"not looked at"', deleted: 'true', ...rest });
    return random.pick<() => ProducedRecord[]>([
      () => [of({})],
      () => [of({ ...this.#content(), revision })],
      () => [of({ ...this.#content(), revision }), of({ ...this.#content() })],
      () => [of({ ...this.#content() })],
      () => [of({ ...this.#content(), amount_bought_raw: '"0"', revision })],
      () => [retraction()],
      () => [retraction({ revision })],
      () => [retraction(), of({ ...this.#content(), revision })],
    ])();
  }

  #record({ members }: Draft): ProducedRecord {
    const text = Object.entries(members).map(([name, value]) => `${quoted(name)}:${value}`);
    return this.#value(Buffer.from(`{${text.join(',')}}`));
  }

  #value(value: Buffer | null): ProducedRecord {
    const recordMs = this.now * 1_000 + this.#random.integer(0, 30_000);
    return { value, recordMs, partition: this.#random.integer(0, this.#partitions - 1) };
  }

  #elsewhere(record: ProducedRecord): ProducedRecord {
    return { ...record, partition: (record.partition + 1) % this.#partitions };
  }

  #poison(): ProducedRecord {
    const random = this.#random;
    const hour = Math.floor(this.now / 3_600);
    if (this.#poisonOf.hour !== hour) {
      this.#poisonOf = { hour, values: badValues(hour * 3_600 - 400).map(({ value }) => value) };
    }
    const value = random.pick(this.#poisonOf.values);
    // A mebibyte each: a few of them are enough.
    if (value.length > 100_000 && !random.chance(0.1)) return this.#poison();
    const record = this.#value(value);
    return {
      ...record,
      ...(random.chance(0.5) && { key: Buffer.from(`key ${this.#events}`) }),
      headers: random.chance(0.5) ? { origin: `event ${this.#events}` } : {},
    };
  }

  #skipped(): ProducedRecord {
    const random = this.#random;
    if (random.chance(0.2)) return this.#value(null);
    const { members, eventTime } = this.#trade();
    const launch = { ...members, event_type: '"launch"', token_sold_address: 'null', amount_sold_raw: 'null' };
    const nullToken = { ...members, [random.pick(['token_sold_address', 'token_bought_address'])]: 'null' };
    return this.#record({ eventTime, members: random.pick([launch, nullToken]) });
  }
}
