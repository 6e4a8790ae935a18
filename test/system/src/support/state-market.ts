import { createHash } from 'node:crypto';
import { defaultAssets } from '../oracle/assets.js';
import { Random } from './random.js';
import type { ProducedRecord } from './topic.js';

/** What the trades name: the states speak of the same jettons and pools, and of some that were never traded. */
export interface TradedNames {
  readonly jettons: readonly string[];
  /** By pool, the assets that were traded in it. */
  readonly pools: ReadonlyMap<string, readonly string[]>;
}

export interface StateMarket {
  readonly pools: readonly ProducedRecord[];
  readonly metadata: readonly ProducedRecord[];
  readonly balances: readonly ProducedRecord[];
}

type Fields = Readonly<Record<string, unknown>>;

const partitions = 4;
const account = (name: string) => createHash('sha256').update(name).digest('hex').toUpperCase();
const address = (name: string) => `0:${account(name)}`;
const upper = (raw: string) => raw.toUpperCase();

/** Owners whose balances are burnt, raw: the zero addresses, and the one that the deployment is told of. */
export const burnAddress = address('burnt').toLowerCase();
const burnOwners = [`0:${'0'.repeat(64)}`, `-1:${'0'.repeat(64)}`, upper(burnAddress)];

/** Code that the deployment takes for a standard minter's, base64. */
export const standardCode = createHash('sha256').update('standard minter').digest('base64');
const otherCode = createHash('sha256').update('something else').digest('base64');

/** Known from their metadata alone. */
const untradedJettons = Array.from({ length: 8 }, (_, n) => address(`untraded jetton ${n}`));
const adminWallets = Array.from({ length: 4 }, (_, n) => address(`administrator ${n}`));
const untradedPools = Array.from({ length: 6 }, (_, n) => address(`untraded pool ${n}`));
const natives = [...defaultAssets.native].map(upper);

/** Names as strangers write them: markup, turned directions, control characters, folds that change length. */
const hostileNames = [
  '\u202eniocsllub\u202c coin',
  '  <script>alert("x")</script>  ',
  'null\u0000byte\u0007\u009b',
  'ﬁnance ΣΊΣΥΦΟΣ straße',
  '💎'.repeat(300),
  'İstanbul \u200fcoin\u2067',
  '"quoted" \\ back\nslash',
  'plain coin',
];

/** Beyond what a double holds, and growing with time. */
const lt = (time: number) => BigInt(time) * 1_000_000_007n + 9_007_199_254_740_993n;

class StateGenerator {
  readonly random: Random;

  constructor(
    seed: number,
    private readonly t: number,
  ) {
    this.random = new Random(seed);
  }

  record(fields: Fields, recordMs: number): ProducedRecord {
    const members = Object.entries(fields).filter(([, value]) => value !== undefined);
    // A bigint is written as a bare number, however long.
    const text = members.map(
      ([name, value]) => `${JSON.stringify(name)}:${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
    );
    const value = Buffer.from(`{${this.random.shuffled(text).join(',')}}`);
    return { value, recordMs, partition: this.random.integer(0, partitions - 1) };
  }

  instant(): number {
    return this.t - this.random.integer(1, 40 * 86_400);
  }

  recordMs(): number {
    return (this.t - this.random.integer(0, 5_000)) * 1_000;
  }

  /** Messages of one key: some newer, some of the very same instant, some twice; in any order. */
  history(fields: () => Fields, order: (name: number) => Fields): ProducedRecord[] {
    const { random } = this;
    const at = Array.from({ length: random.integer(1, 4) }, () => this.instant());
    const recordMs = this.recordMs();
    const records = at.map((time) =>
      this.record({ ...fields(), ...order(time) }, random.chance(0.5) ? recordMs : this.recordMs()),
    );
    const tie = this.record({ ...fields(), ...order(at[0] ?? 0) }, random.chance(0.5) ? recordMs : this.recordMs());
    if (random.chance(0.5)) records.push(tie);
    if (random.chance(0.3)) records.push(...records);
    return records;
  }

  amount(digits = this.random.integer(1, 24)): unknown {
    const text = this.random.digits(digits);
    return this.random.pick([text, text, `${text}.0`, `${text}E+0`, BigInt(text)]);
  }

  volume(): unknown {
    const { random } = this;
    if (random.chance(0.5)) return null;
    return random.pick(['0', '1E-7', `${random.digits(random.integer(1, 7))}.${random.digits(random.integer(1, 18))}`]);
  }

  pool(pool: string, assets: readonly string[]): ProducedRecord[] {
    const { random } = this;
    const [left, right] = random.shuffled(assets);
    const state = (): Fields => ({
      pool: random.chance(0.2) ? pool.toLowerCase() : upper(pool),
      project: random.pick(['dedust', 'stonfi', null, 7]),
      version: random.pick([2, 'v2', null]),
      discovered_at: random.chance(0.2) ? null : this.t - random.integer(10, 9_000_000),
      jetton_left: random.chance(0.05) || left === undefined ? null : upper(left),
      jetton_right: random.chance(0.05) || right === undefined ? null : upper(right),
      reserves_left: random.chance(0.1) ? null : this.amount(),
      reserves_right: random.chance(0.1) ? null : this.amount(),
      total_supply: this.amount(),
      tvl_usd: this.volume(),
      tvl_ton: this.volume(),
      is_liquid: random.pick([null, true, true, false]),
      lp_fee: '0.3',
    });
    return this.history(state, (last_updated) => ({ last_updated: random.chance(0.02) ? null : last_updated }));
  }

  metadata(jetton: string, n: number): ProducedRecord[] {
    const { random } = this;
    const maybe = (value: unknown, missing?: unknown) => (random.chance(0.5) ? value : missing);
    const state = (): Fields => ({
      address: random.chance(0.2) ? jetton.toLowerCase() : upper(jetton),
      mintable: random.pick([true, false, null]),
      admin_address: random.pick([...adminWallets, null, natives[0]]),
      code_hash: random.pick([standardCode, otherCode, null]),
      symbol: random.pick([`SYM${n}`, 'Σ\u202e1', 'x'.repeat(80), null]),
      name: random.chance(0.1) ? null : random.pick([`Jetton number ${n}`, ...hostileNames]),
      description: random.pick([null, 'one\ntwo', `<b>${'d'.repeat(5_000)}</b>`]),
      image: maybe(`https://example.com/${n}.png`, null),
      tonapi_image_url: maybe(`https://cache.example.com/${n}.png`, null),
      decimals: random.pick([9, 6, '18', 0, 255, 256, -1, 'nine', null]),
      sources: { name: 'onchain' },
      total_supply: maybe(this.amount(random.integer(10, 30))),
      offchain_image: maybe(`https://off.example.com/${n}.png`),
      offchain_description: maybe(`Off chain\u0001 ${n}`),
      admin_offchain_address: maybe(upper(random.pick(adminWallets)), null),
      links: maybe([
        { name: 'Site\u202e', url: 'https://example.com/site', type: 'LINK_TYPE_WEBSITE' },
        { name: '', url: 'https://t.me/example', type: random.pick(['LINK_TYPE_TELEGRAM', 'LINK_TYPE_OTHER']) },
      ]),
      created_at: random.chance(0.2) ? this.t - random.integer(100, 20_000_000) : undefined,
    });
    const times = (time: number): Fields =>
      random.pick([
        { update_time_onchain: time, update_time_metadata: null },
        { update_time_onchain: time - random.integer(0, 1_000), update_time_metadata: time },
        { update_time_onchain: time },
        ...(random.chance(0.1) ? [{}] : []),
      ]);
    return this.history(state, times);
  }

  balances(jetton: string): ProducedRecord[] {
    const { random } = this;
    const owners = Array.from({ length: random.integer(0, 25) }, () => address(`owner ${random.integer(0, 60)}`));
    if (random.chance(0.5)) owners.push(random.pick(burnOwners));
    const digits = random.integer(6, 28);
    return [...new Set(owners)].flatMap((owner) => {
      const state = (): Fields => ({
        address: random.chance(0.2) ? owner.toLowerCase() : owner,
        asset: random.chance(0.2) ? jetton.toLowerCase() : upper(jetton),
        amount: random.chance(0.15) ? '0' : random.digits(random.integer(1, digits)),
        mintless_claimed: random.chance(0.5),
        timestamp: this.instant(),
      });
      return this.history(state, (time) => ({ lt: random.chance(0.5) ? lt(time) : String(lt(time)) }));
    });
  }
}

/** States of pools, metadata and balances in the forty days before T; everything follows from the seed. */
export function stateMarket(seed: number, t: number, { jettons, pools }: TradedNames): StateMarket {
  const generator = new StateGenerator(seed, t);
  const { random } = generator;
  const described = [...jettons.filter(() => random.chance(0.85)), ...untradedJettons];
  const anyJetton = () => random.pick([...jettons, ...untradedJettons]);
  const states = [...pools].flatMap(([pool, assets]) => {
    if (random.chance(0.1)) return [];
    // Now and then the state names something that was never traded in the pool.
    return generator.pool(pool, random.chance(0.1) ? [anyJetton(), random.pick(natives)] : assets);
  });
  const untraded = untradedPools.flatMap((pool) => generator.pool(pool, [anyJetton(), random.pick(natives)]));
  const bad = (fields: Fields) => generator.record(fields, t * 1_000);
  const owned = [...jettons, ...untradedJettons, address('known by a balance alone')];
  const coins = { address: adminWallets[0], asset: 'TON', amount: '5', timestamp: t, lt: 1n };
  return {
    pools: random.shuffled([
      ...states,
      ...untraded,
      bad({ pool: '0:12', last_updated: t }),
      bad({ pool: untradedPools[0], last_updated: t, tvl_usd: '-1' }),
    ]),
    metadata: random.shuffled([
      ...described.flatMap((jetton, n) => generator.metadata(jetton, n)),
      bad({ address: natives[1], name: 'native is no jetton', update_time_onchain: t }),
      bad({ name: 'nobody', update_time_onchain: t }),
    ]),
    balances: random.shuffled([...owned.flatMap((jetton) => generator.balances(jetton)), bad(coins)]),
  };
}

/** Rates of all fiats on every third day or so of the seventy days before T, as a CSV. */
export function ratesCsv(seed: number, t: number, fiats: readonly string[]): string {
  const random = new Random(seed);
  const day = (ago: number) => new Date((t - ago * 86_400) * 1_000).toISOString().slice(0, 10);
  const rate = () => `${random.integer(0, 3_000)}.${random.digits(random.integer(1, 10))}`;
  const lines = [68, 41, 30, 14, 7, 3, 1, 0].map((ago) => {
    // The oldest and the newest day know every currency, the others not.
    const cells = fiats.map(() => (ago !== 68 && random.chance(0.15) ? '' : rate()));
    return [day(ago), ...cells].join(',');
  });
  return [['date', ...fiats].join(','), ...lines].join('\n');
}
