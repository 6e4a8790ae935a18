import { randomBytes } from 'node:crypto';
import { DomainError } from '@jetton-analytics/service';
import type { HeldPin } from './pin-cache.js';
import { PinCache } from './pin-cache.js';
import type { Pin, PinKey, PinStore } from './pin-store.js';

export interface PinsOptions {
  readonly store: PinStore;
  readonly nowMs: () => number;
  readonly lifeMs: number;
  readonly reuseMs: number;
  readonly bytesMax: number;
  /** Told of every failure of the store, for logs and metrics. */
  readonly onStoreError?: ((error: unknown) => void) | undefined;
}

// After a failure the store is left alone for so long: no request pays for it in the meantime.
const storePauseMs = 2_000;
const storingMax = 64;
const idBytes = 16;

interface Newest {
  readonly id: string;
  readonly createdAtMs: number;
  /** While it is being stored. The order itself is the cache's to keep or to drop. */
  making: Promise<HeldPin> | undefined;
}

/** Pinned orders: made once, held in memory, kept in the store for restarts and for other replicas. */
export class Pins {
  readonly #options: PinsOptions;
  readonly #cache: PinCache;
  readonly #newest = new Map<string, Newest>();
  readonly #loading = new Map<string, Promise<HeldPin>>();
  #storing = 0;
  #storeAwayUntilMs = 0;

  constructor(options: PinsOptions) {
    this.#options = options;
    this.#cache = new PinCache(options.bytesMax, options.lifeMs);
  }

  /** A pin for the fingerprint that is new enough to begin a walk on; undefined where one has to be made. */
  reusable(fingerprint: string): HeldPin | Promise<HeldPin> | undefined {
    const newest = this.#newest.get(fingerprint);
    if (newest === undefined || this.#options.nowMs() - newest.createdAtMs > this.#options.reuseMs) return undefined;
    return newest.making ?? this.#cache.get(newest.id);
  }

  /**
   * Pins an order: stored before this returns, unless the store is away; then it is held in memory alone.
   * Throws DomainError (unavailable) while too many are being stored.
   */
  async add(fingerprint: string, rows: Uint8Array): Promise<HeldPin> {
    if (this.#storing >= storingMax) throw new DomainError('unavailable', 'too many lists are being pinned, try again');
    const createdAtMs = this.#options.nowMs();
    const id = randomBytes(idBytes).toString('hex');
    const held = this.#cache.add({ id, createdAtMs, fingerprint, rows }, false, createdAtMs);
    const newest: Newest = { id, createdAtMs, making: undefined };
    this.#forgetOld(createdAtMs);
    this.#newest.set(fingerprint, newest);
    newest.making = this.#store(held).then(() => {
      newest.making = undefined;
      return held;
    });
    return newest.making;
  }

  /** A pin by its key. Throws DomainError (unavailable) where it is not here and cannot be had from the store. */
  async get(key: PinKey): Promise<HeldPin> {
    const held = this.#cache.get(key.id);
    if (held !== undefined) {
      // Made while the store was away: the next page is a chance to make up for it, and waits no longer than that takes.
      if (!held.isStored) await this.#store(held);
      return held;
    }
    const loading = this.#loading.get(key.id) ?? this.#load(key).finally(() => this.#loading.delete(key.id));
    this.#loading.set(key.id, loading);
    return loading;
  }

  async #load(key: PinKey): Promise<HeldPin> {
    let pin: Pin | undefined;
    try {
      pin = await this.#options.store.load(key);
    } catch (error) {
      this.#options.onStoreError?.(error);
      throw new DomainError('unavailable', 'the pinned order of this cursor is out of reach, try again', {
        cause: error,
      });
    }
    // Not there although its cursor is genuine: another replica holds it in memory alone.
    if (pin === undefined)
      throw new DomainError('unavailable', 'the pinned order of this cursor is not here, try again');
    return this.#cache.add(pin, true, this.#options.nowMs());
  }

  async #store(held: HeldPin): Promise<void> {
    const { store, nowMs, onStoreError } = this.#options;
    if (nowMs() < this.#storeAwayUntilMs) return;
    this.#storing += 1;
    try {
      await store.save(held.pin);
      held.isStored = true;
    } catch (error) {
      this.#storeAwayUntilMs = nowMs() + storePauseMs;
      onStoreError?.(error);
    } finally {
      this.#storing -= 1;
    }
  }

  #forgetOld(nowMs: number): void {
    for (const [fingerprint, { createdAtMs }] of this.#newest) {
      if (nowMs - createdAtMs > this.#options.reuseMs) this.#newest.delete(fingerprint);
    }
  }
}
