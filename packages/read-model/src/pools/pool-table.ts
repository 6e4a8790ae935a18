import type { PoolListener, PoolState } from './pool-state.js';

const none: ReadonlySet<string> = new Set();

/** The newest state of every pool, and the pools whose state names a jetton. */
export class PoolTable {
  readonly #states = new Map<string, PoolState>();
  readonly #poolsOf = new Map<string, Set<string>>();
  readonly #listeners: PoolListener[] = [];

  get size(): number {
    return this.#states.size;
  }

  onChange(listener: PoolListener): void {
    this.#listeners.push(listener);
  }

  state(pool: string): PoolState | undefined {
    return this.#states.get(pool);
  }

  states(): Iterable<PoolState> {
    return this.#states.values();
  }

  /** Pools whose newest state names the asset. */
  poolsOf(asset: string): ReadonlySet<string> {
    return this.#poolsOf.get(asset) ?? none;
  }

  /** Takes over what is newer than known, in whatever order and however often it comes. */
  readonly apply = (states: readonly PoolState[]): void => {
    for (const state of states) {
      const former = this.#states.get(state.pool);
      if (former !== undefined && former.version >= state.version) continue;
      this.#states.set(state.pool, state);
      this.#index(state, former);
      for (const listener of this.#listeners) listener(state, former);
    }
  };

  #index(state: PoolState, former: PoolState | undefined): void {
    const now = [state.leftAsset, state.rightAsset];
    for (const asset of former === undefined ? [] : [former.leftAsset, former.rightAsset]) {
      if (now.includes(asset)) continue;
      const pools = this.#poolsOf.get(asset);
      pools?.delete(state.pool);
      if (pools?.size === 0) this.#poolsOf.delete(asset);
    }
    for (const asset of now) {
      if (asset === '') continue;
      const pools = this.#poolsOf.get(asset);
      if (pools === undefined) this.#poolsOf.set(asset, new Set([state.pool]));
      else pools.add(state.pool);
    }
  }
}
