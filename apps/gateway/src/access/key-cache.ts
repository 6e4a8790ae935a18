import { type KeyAccess, keyHashOf } from '@jetton-analytics/postgres';
import type { Clock } from '@jetton-analytics/service';
import { LRUCache } from 'lru-cache';

/** A key known to exist. */
export interface KnownKey {
  readonly id: string;
  plan: string;
  /** Unix milliseconds; Infinity: never. */
  expiresAtMs: number;
  revoked: boolean;
  usedAtMs: number;
}

export interface KeyCacheLimits {
  readonly keysMax: number;
  readonly unknownMax: number;
}

const unusedMs = 3_600_000;
const unknownMs = 10_000;
const defaultLimits: KeyCacheLimits = { keysMax: 100_000, unknownMax: 10_000 };

/**
 * Keys seen in the last hour, and for some seconds those that were looked for in vain; by hash. Never more of either than
 * the limits say: that goes which was used longest ago.
 */
export class KeyCache {
  readonly #known: LRUCache<string, KnownKey>;
  readonly #unknown: LRUCache<string, number>;

  constructor(
    private readonly clock: Clock,
    { keysMax, unknownMax }: KeyCacheLimits = defaultLimits,
  ) {
    this.#known = new LRUCache({ max: keysMax });
    this.#unknown = new LRUCache({ max: unknownMax });
  }

  /** How a key is named here. */
  static nameOf(key: string): string {
    return nameOfHash(keyHashOf(key));
  }

  /** The key, `unknown` where it was looked for lately in vain, undefined where it has to be looked for. */
  get(name: string): KnownKey | 'unknown' | undefined {
    const nowMs = this.clock.now();
    const key = this.#known.get(name);
    if (key !== undefined) {
      if (key.usedAtMs + unusedMs > nowMs) {
        key.usedAtMs = nowMs;
        return key;
      }
      this.#known.delete(name);
      return undefined;
    }
    const untilMs = this.#unknown.get(name);
    return untilMs !== undefined && untilMs > nowMs ? 'unknown' : undefined;
  }

  put(name: string, access: KeyAccess): KnownKey {
    const key = { id: access.id, usedAtMs: this.clock.now(), ...stateOf(access) };
    this.#known.set(name, key);
    return key;
  }

  putUnknown(name: string): void {
    this.#unknown.set(name, this.clock.now() + unknownMs);
  }

  /** Takes a change over; a key that nobody has shown here is not kept. */
  apply(access: KeyAccess): void {
    const name = nameOfHash(access.keyHash);
    this.#unknown.delete(name);
    const key = this.#known.get(name);
    if (key !== undefined) Object.assign(key, stateOf(access));
  }

  /** Drops keys that nobody has shown for an hour. */
  sweep(): void {
    const nowMs = this.clock.now();
    for (const [name, key] of this.#known) if (key.usedAtMs + unusedMs <= nowMs) this.#known.delete(name);
    for (const [name, untilMs] of this.#unknown) if (untilMs <= nowMs) this.#unknown.delete(name);
  }

  clear(): void {
    this.#known.clear();
    this.#unknown.clear();
  }

  get size(): { known: number; unknown: number } {
    return { known: this.#known.size, unknown: this.#unknown.size };
  }
}

const nameOfHash = (hash: Buffer): string => hash.toString('latin1');

const stateOf = ({ plan, expiresAt, revokedAt }: KeyAccess) => ({
  plan,
  expiresAtMs: expiresAt?.getTime() ?? Infinity,
  revoked: revokedAt !== null,
});
