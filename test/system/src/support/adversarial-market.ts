import { createHash } from 'node:crypto';
import { defaultAssets } from '../oracle/assets.js';
import { windowSeconds } from '../oracle/windows.js';
import { badValues } from './bad-messages.js';
import { Random } from './random.js';
import type { ProducedRecord } from './topic.js';

/** A message as member name → JSON text, so that numbers can be written in every form. */
type Members = Readonly<Record<string, string>>;

interface Draft {
  readonly members: Members;
  readonly eventTime: number;
}

const partitions = 4;
const tonUsd = 3.5;

const address = (name: string) => `0:${createHash('sha256').update(name).digest('hex').toUpperCase()}`;
const upper = (addresses: Iterable<string>) => [...addresses].map((one) => one.toUpperCase());
const unquoted = (json: string | undefined) => JSON.parse(json ?? '""') as string;
const quoted = (text: string) => JSON.stringify(text);

const natives = upper(defaultAssets.native);
const stables = upper(defaultAssets.stables);
const lsds = upper(defaultAssets.lsds);

/** Usd of one raw unit, roughly: only to make the market believable enough for prices to have neighbours. */
function rawWorth(token: string): number {
  if (natives.includes(token)) return tonUsd / 1e9;
  if (stables.includes(token)) return 1e-6;
  if (lsds.includes(token)) return (tonUsd * 1.05) / 1e9;
  return 10 ** -(9 + (Number.parseInt(token.slice(2, 4), 16) % 12));
}

/** Writes a series of hostile trades around one instant T; everything follows from the seed. */
class Generator {
  readonly random: Random;
  readonly jettons = Array.from({ length: 14 }, (_, n) => address(`jetton ${n}`));
  readonly wallets = Array.from({ length: 18 }, (_, n) => address(`wallet ${n}`));
  readonly markets: { pool: string; sides: [string, string] }[] = [];
  readonly #time: MarketTime;
  #hashes = 0;

  constructor(seed: number, time: MarketTime) {
    this.#time = time;
    this.random = new Random(seed);
    const { random, jettons } = this;
    const quotes = [...natives, ...stables, ...lsds];
    const add = (a: string, b: string) => {
      const pool = `${random.chance(0.1) ? '-1' : '0'}${address(`pool ${this.markets.length}`).slice(1)}`;
      this.markets.push({ pool, sides: [a, b] });
    };
    for (const jetton of jettons) {
      for (let n = random.integer(1, 3); n > 0; n -= 1) add(jetton, random.pick(quotes));
    }
    for (let n = 0; n < 8; n += 1) add(jettons[n] ?? address('none'), random.pick(jettons.slice(8)));
    for (const stable of stables) add(stable, random.pick([...natives, ...lsds]));
    for (const lsd of lsds) add(lsd, random.pick(natives));
    add(stables[0] ?? '', stables[1] ?? '');
    add(natives[0] ?? '', natives[1] ?? ''); // native against its own wrapped form: no trade
  }

  /** Instants where one second more or less changes a figure, and ordinary ones. */
  time(): number {
    const { random } = this;
    const { t, edgeSeconds } = this.#time;
    const newest = t - 2; // t − 1 belongs to a message that is no trade
    if (random.chance(0.35)) {
      const away = random.integer(-edgeSeconds, edgeSeconds);
      const edge = t - random.integer(1, 2) * random.pick(Object.values(windowSeconds)) + away;
      return random.chance(0.2) ? edge - (edge % 60) + random.pick([-1, 0, 59, 60]) : edge;
    }
    if (random.chance(0.5)) return newest - random.integer(0, 3 * 3600);
    return newest - random.integer(0, 62 * 86_400);
  }

  amount(value: number): string {
    const { random } = this;
    const whole = BigInt(Math.max(1, Math.round(Math.min(value, 1e36)))).toString();
    const zeros = /0*$/.exec(whole)?.[0].length ?? 0;
    const forms = [
      quoted(whole),
      quoted(whole),
      whole,
      quoted(`${whole}.0`),
      quoted(`${whole.slice(0, whole.length - zeros) || '0'}E+${zeros}`),
    ];
    return random.chance(0.02) ? random.pick(['"0"', 'null', '0', '"0E-9"']) : random.pick(forms);
  }

  volume(value: number): string {
    const { random } = this;
    if (random.chance(0.06)) return 'null';
    if (random.chance(0.05)) {
      return random.pick([
        '"0"',
        '"0E-9"',
        '"1E-7"',
        '"1"',
        '"0.999999999999999999"',
        '"1.0000000000000000005"',
        '0.1',
      ]);
    }
    const plain = `${Math.floor(value)}.${random.digits(random.integer(1, 24))}`;
    return random.chance(0.3) ? plain : quoted(random.chance(0.1) ? `${plain}E-1` : plain);
  }

  hash(): string {
    this.#hashes += 1;
    return createHash('sha256').update(`hash ${this.#hashes}`).digest('base64');
  }

  /** The fields that a later message about the same event may change. */
  content(sold: string, bought: string): Members {
    const { random } = this;
    const usd = 10 ** (random.next() * 6 - 1);
    const off = random.chance(0.05) ? 1000 : 0.4 + random.next() * 2.2;
    const wallet = random.pick(this.wallets);
    return {
      amount_sold_raw: this.amount(usd / rawWorth(sold)),
      amount_bought_raw: this.amount((usd * off) / rawWorth(bought)),
      volume_usd: this.volume(usd),
      volume_ton: this.volume(usd / tonUsd),
      trader_address: random.chance(0.07) ? 'null' : quoted(random.chance(0.2) ? wallet.toLowerCase() : wallet),
      project: random.pick(['"dedust"', '"stonfi"', 'null', '7']),
    };
  }

  trade(eventTime = this.time()): Draft {
    const { random } = this;
    const { pool, sides } = random.pick(this.markets);
    // Now and then a pool trades something it has never traded before.
    const [a, b] = random.chance(0.03) ? [sides[0], random.pick(this.jettons)] : sides;
    const [sold, bought] = random.chance(0.5) ? [a, b] : [b, a];
    const members = {
      tx_hash: quoted(this.hash()),
      event_type: '"trade"',
      event_time: String(eventTime),
      project_type: random.pick(['"dex"', '"launchpad"', 'null']),
      pool_address: random.chance(0.05) ? 'null' : quoted(pool),
      token_sold_address: quoted(sold),
      token_bought_address: quoted(bought),
      ...this.content(sold, bought),
      referral_address: '{"nested":[1,{"event_type":"launch"}]}',
    };
    return { eventTime, members };
  }

  /** Messages that speak of an earlier event: repeats, corrections, retractions, contradictions. */
  sequel({ members, eventTime }: Draft): Draft[] {
    const { random } = this;
    const again = () =>
      this.content(unquoted(members['token_sold_address']), unquoted(members['token_bought_address']));
    const of = (overrides: Members): Draft => ({ eventTime, members: { ...members, ...overrides } });
    const revision = String(random.integer(1, 3));
    const retraction: Draft = {
      eventTime,
      members: {
        ...members,
        ...again(),
        amount_sold_raw: '"x"',
        deleted: 'true',
        revision: random.pick(['0', revision]),
      },
    };
    return random.pick<() => Draft[]>([
      () => [of({})],
      () => [of({}), of({})],
      () => [of(again())],
      () => [of(again()), of(again()), of({})],
      () => [of({ ...again(), revision })],
      () => [of({ ...again(), revision }), of({ revision: '0', ...again() })],
      () => [of({ ...again(), amount_bought_raw: '"0"', revision })],
      () => [retraction],
      () => [retraction, of({ ...again(), revision: '3' })],
      () => [retraction, retraction],
    ])();
  }

  record({ members, eventTime }: Draft, recordMs = this.recordMs(eventTime)): ProducedRecord {
    const text = Object.entries(members).map(([name, value]) => `${quoted(name)}:${value}`);
    return { value: Buffer.from(`{${text.join(',')}}`), recordMs, partition: this.random.integer(0, partitions - 1) };
  }

  recordMs(eventTime: number): number {
    const { random } = this;
    const delayMs = random.chance(0.1) ? random.integer(0, 86_400_000) : random.integer(0, 30_000);
    const recordMs = eventTime * 1000 + (random.chance(0.05) ? -600_000 : delayMs);
    return Math.min(recordMs, this.#time.recordMsMax);
  }
}

/** When the market takes place. */
export interface MarketTime {
  /** T, Unix seconds: no message is newer than the second before it. */
  readonly t: number;
  /** How far from a window's edge at T the trades at the edges lie, at most. */
  readonly edgeSeconds: number;
  /** No record is newer than this, ms. */
  readonly recordMsMax: number;
}

/** Far in the past, T inside a minute. */
const longAgo: MarketTime = {
  t: Date.UTC(2024, 2, 10, 12, 34, 37) / 1000,
  edgeSeconds: 1,
  recordMsMax: Infinity,
};

export interface AdversarialMarket {
  /** In the order in which they are to be produced. */
  readonly records: readonly ProducedRecord[];
  /** T under CLOCK=event, Unix seconds. */
  readonly t: number;
}

/** Trades, and everything the feed's rules speak of, in the 62 days before T. */
export function adversarialMarket(seed: number, trades: number, time: MarketTime = longAgo): AdversarialMarket {
  const { t } = time;
  const generator = new Generator(seed, time);
  const { random } = generator;
  const drafts = Array.from({ length: trades }, () => generator.trade());
  const sequels = drafts.flatMap((draft) => (random.chance(0.25) ? generator.sequel(draft) : []));
  const records = [...drafts, ...sequels].map((draft) => generator.record(draft));

  // Contradictions at the very same record time: the content hash decides.
  for (const draft of drafts.slice(0, 60)) {
    const recordMs = Math.min(draft.eventTime * 1000 + 5_000, time.recordMsMax);
    const [twin] = generator.sequel(draft);
    if (twin !== undefined) records.push(generator.record(draft, recordMs), generator.record(twin, recordMs));
  }
  // Known by nothing that holds: a jetton whose only trade is retracted, another whose only one is no trade.
  const only = (name: string, overrides: Members): Draft => {
    const { eventTime, members } = generator.trade(t - 500);
    return { eventTime, members: { ...members, token_sold_address: quoted(address(name)), ...overrides } };
  };
  const retracted: Draft = only('retracted jetton', {});
  const ghosts: Draft[] = [
    retracted,
    { ...retracted, members: { ...retracted.members, deleted: 'true' } },
    only('zero jetton', { amount_bought_raw: '"0"' }),
  ];
  // The newest message is a retraction of a trade that never came: T follows it all the same.
  const newest: Draft = generator.trade(t - 1);
  ghosts.push({ ...newest, members: { ...newest.members, deleted: 'true' } });
  records.push(...ghosts.map((draft) => generator.record(draft)));

  const skipped = Array.from({ length: 60 }, () => {
    const { eventTime, members } = generator.trade();
    const launch = { ...members, event_type: '"launch"', token_sold_address: 'null', amount_sold_raw: 'null' };
    const nullToken = { ...members, [random.pick(['token_sold_address', 'token_bought_address'])]: 'null' };
    return generator.record({ eventTime, members: random.pick([launch, nullToken]) });
  });
  const tombstone = { value: null, recordMs: (t - 100) * 1000, partition: 1 };
  const bad = badValues(t - 400).map(({ value }, n): ProducedRecord => ({
    value,
    recordMs: (t - 300) * 1000,
    partition: random.integer(0, partitions - 1),
    ...(random.chance(0.5) && { key: Buffer.from(`key ${n}`) }),
    headers: random.chance(0.5) ? { origin: `line ${n}` } : {},
  }));
  return { t, records: random.shuffled([...records, ...skipped, tombstone, ...bad]) };
}
