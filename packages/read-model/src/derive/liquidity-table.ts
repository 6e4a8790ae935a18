import { type Assets, nativeAsset } from '@jetton-analytics/feed';
import type { PoolState } from '../pools/pool-state.js';
import type { PoolTable } from '../pools/pool-table.js';
import {
  addPool,
  dependsOnQuotes,
  emptyForm,
  type Liquidity,
  type LiquidityForm,
  liquidityOfForm,
} from './liquidity-form.js';
import { noQuotes, type Quotes, sameTerms } from './quotes.js';

const noLiquidity: Liquidity = { liquidityUsd: undefined, tvl: undefined };

/** Each once. */
function jettonsOf(state: PoolState | undefined): string[] {
  if (state === undefined) return [];
  const { leftAsset, rightAsset } = state;
  const assets = leftAsset === rightAsset ? [leftAsset] : [leftAsset, rightAsset];
  return assets.filter((asset) => asset !== '' && asset !== nativeAsset);
}

/** Each once. At the start hundreds of thousands of states come that nobody named before. */
const union = (some: string[], others: readonly string[]): readonly string[] =>
  others.length === 0 ? some : [...new Set([...others, ...some])];

/**
 * The liquidity of every jetton: over the pools whose state names it, moved on with every state, and over those that
 * only its trades name.
 */
export class LiquidityTable {
  readonly #forms = new Map<string, LiquidityForm>();
  /** Greatest last_updated among the pools whose state names a jetton, Unix seconds. */
  readonly #changedAt = new Map<string, number>();
  /** Markets whose state names the jetton not at all, or that have none yet. */
  readonly #unnamed = new Map<string, Set<string>>();
  readonly #jettonsOfUnnamed = new Map<string, Set<string>>();
  readonly #dependents = new Set<string>();
  #quotes = noQuotes;

  constructor(
    private readonly pools: PoolTable,
    private readonly assets: Assets,
    /** Whether a jetton was traded in a pool. */
    private readonly isMarket: (jetton: string, pool: string) => boolean,
    private readonly onChange: (jetton: string) => void,
  ) {
    pools.onChange((state, former) => this.#move(state, former));
  }

  /** Jettons whose liquidity changes with the prices of quote assets. */
  get dependents(): ReadonlySet<string> {
    return this.#dependents;
  }

  /** Takes over the prices of the quote assets; whoever depends on them is to be asked for anew. */
  setQuotes(quotes: Quotes): void {
    const former = this.#quotes;
    this.#quotes = quotes;
    if (!sameTerms(former, quotes)) this.#rebuild();
  }

  /** Tells which pools a jetton was traded in. */
  setMarkets(jetton: string, markets: Iterable<string>): void {
    const unnamed = new Set<string>();
    for (const pool of markets) {
      if (!jettonsOf(this.pools.state(pool)).includes(jetton)) unnamed.add(pool);
    }
    for (const pool of this.#unnamed.get(jetton) ?? []) {
      if (!unnamed.has(pool)) this.#forget(pool, jetton);
    }
    for (const pool of unnamed) this.#remember(pool, jetton);
    if (unnamed.size === 0) this.#unnamed.delete(jetton);
    else this.#unnamed.set(jetton, unnamed);
    this.#noteDependence(jetton);
  }

  liquidity(jetton: string): Liquidity {
    const form = this.#wholeForm(jetton);
    return form === undefined ? noLiquidity : liquidityOfForm(form, this.#quotes);
  }

  /** Unix seconds. */
  changedAt(jetton: string): number | undefined {
    let changedAt = this.#changedAt.get(jetton) ?? 0;
    for (const pool of this.#unnamed.get(jetton) ?? []) {
      changedAt = Math.max(changedAt, this.pools.state(pool)?.lastUpdated ?? 0);
    }
    return changedAt === 0 ? undefined : changedAt;
  }

  #wholeForm(jetton: string): LiquidityForm | undefined {
    const named = this.#forms.get(jetton);
    const unnamed = this.#unnamed.get(jetton);
    if (unnamed === undefined) return named;
    const states = [...unnamed].flatMap((pool) => this.pools.state(pool) ?? []);
    if (states.length === 0) return named;
    const whole = emptyForm();
    for (const [, state] of this.pools.statesOf(jetton)) states.push(state);
    for (const state of states) addPool(whole, state, 1n, this.assets, this.#quotes);
    return whole;
  }

  #move(state: PoolState, former: PoolState | undefined): void {
    const now = jettonsOf(state);
    const before = jettonsOf(former);
    for (const jetton of union(now, before)) {
      const form = this.#formOf(jetton);
      if (former !== undefined && before.includes(jetton)) addPool(form, former, -1n, this.assets, this.#quotes);
      if (now.includes(jetton)) addPool(form, state, 1n, this.assets, this.#quotes);
      this.#noteState(jetton, now.includes(jetton) ? state : undefined);
    }
    // A market that the state did not name may be named now, and the other way round.
    for (const jetton of now) {
      this.#unnamed.get(jetton)?.delete(state.pool);
      this.#forget(state.pool, jetton);
    }
    for (const jetton of before) {
      if (now.includes(jetton) || !this.isMarket(jetton, state.pool)) continue;
      const unnamed = this.#unnamed.get(jetton);
      if (unnamed === undefined) this.#unnamed.set(jetton, new Set([state.pool]));
      else unnamed.add(state.pool);
      this.#remember(state.pool, jetton);
    }
    for (const jetton of union(now, [...before, ...(this.#jettonsOfUnnamed.get(state.pool) ?? [])])) {
      this.#noteDependence(jetton);
      this.onChange(jetton);
    }
  }

  /** A newer state names the jetton; without one a pool's state names it no more, and those that remain decide. */
  #noteState(jetton: string, state: PoolState | undefined): void {
    const remaining = state === undefined ? [...this.pools.statesOf(jetton)] : [];
    const before = state === undefined ? 0 : (this.#changedAt.get(jetton) ?? 0);
    const others = remaining.map(([, { lastUpdated }]) => lastUpdated);
    const changedAt = others.reduce((newest, one) => Math.max(newest, one), Math.max(before, state?.lastUpdated ?? 0));
    if (changedAt > 0) this.#changedAt.set(jetton, changedAt);
    else this.#changedAt.delete(jetton);
  }

  #formOf(jetton: string): LiquidityForm {
    let form = this.#forms.get(jetton);
    if (form === undefined) this.#forms.set(jetton, (form = emptyForm()));
    return form;
  }

  #remember(pool: string, jetton: string): void {
    const jettons = this.#jettonsOfUnnamed.get(pool);
    if (jettons === undefined) this.#jettonsOfUnnamed.set(pool, new Set([jetton]));
    else jettons.add(jetton);
  }

  #forget(pool: string, jetton: string): void {
    const jettons = this.#jettonsOfUnnamed.get(pool);
    jettons?.delete(jetton);
    if (jettons?.size === 0) this.#jettonsOfUnnamed.delete(pool);
  }

  #noteDependence(jetton: string): void {
    const form = this.#wholeForm(jetton);
    if (form !== undefined && dependsOnQuotes(form)) this.#dependents.add(jetton);
    else this.#dependents.delete(jetton);
  }

  #rebuild(): void {
    this.#forms.clear();
    for (const state of this.pools.states()) {
      for (const jetton of jettonsOf(state)) addPool(this.#formOf(jetton), state, 1n, this.assets, this.#quotes);
    }
    for (const jetton of new Set([...this.#forms.keys(), ...this.#unnamed.keys()])) {
      this.#noteDependence(jetton);
      this.onChange(jetton);
    }
  }
}
