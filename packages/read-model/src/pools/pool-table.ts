import { FewMap, type ReadonlyFewMap } from '../stores/few-map.js';
import type { PoolListener, PoolState } from './pool-state.js';

const none: ReadonlyFewMap<PoolState> = new FewMap();

/** The newest state of every pool, and those that name a jetton. */
export class PoolTable {
  readonly #states = new Map<string, PoolState>();
  readonly #statesOf = new Map<string, FewMap<PoolState>>();
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

  /** The newest states that name the asset, by pool. */
  statesOf(asset: string): ReadonlyFewMap<PoolState> {
    return this.#statesOf.get(asset) ?? none;
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
      const states = this.#statesOf.get(asset);
      states?.delete(state.pool);
      if (states?.size === 0) this.#statesOf.delete(asset);
    }
    for (const asset of now) {
      if (asset === '') continue;
      let states = this.#statesOf.get(asset);
      if (states === undefined) this.#statesOf.set(asset, (states = new FewMap()));
      states.set(state.pool, state);
    }
  }
}
