import { randomBytes } from 'node:crypto';
import { DomainError } from '@jetton-analytics/service';
import type { HeldPin } from './pin-cache.js';
import { PinCache } from './pin-cache.js';
import type { Pin, PinKey, PinStore } from './pin-store.js';

export interface PinsOptions {
  readonly store: PinStore;
  readonly nowMs: () => number;
  readonly lifeMs: number;
  /** First pages begin on a pin of this age, whatever has changed since. */
  readonly reuseMs: number;
  /** First pages begin on a pin of this age while it is what would be pinned now; the rest of its life is theirs. */
  readonly holdMs: number;
  readonly bytesMax: number;
  /** Told of every failure of the store, for logs and metrics. */
  readonly onStoreError?: ((error: unknown) => void) | undefined;
}

// After a failure the store is left alone for so long: no request pays for it in the meantime.
const storePauseMs = 2_000;
const storingMax = 64;
const idBytes = 16;
const newestMax = 20_000;
// The rest of the time is what storing a new pin may take before anybody has to wait for it.
const renewalShare = 0.6;

interface Newest {
  readonly id: string;
  readonly createdAtMs: number;
  /** The newest revision of the source at which this was its order. */
  revision: number;
  /** While it is being stored. The order itself is the cache's to keep or to drop. */
  making: Promise<HeldPin> | undefined;
}

/** Pinned orders: made once, held in memory, kept in the store for restarts and for other replicas. */
export class Pins {
  readonly #options: PinsOptions;
  readonly #cache: PinCache;
  readonly #newest = new Map<string, Newest>();
  readonly #loading = new Map<string, Promise<HeldPin>>();
  readonly #renewing = new Set<string>();
  #storing = 0;
  #storeAwayUntilMs = 0;

  constructor(options: PinsOptions) {
    this.#options = options;
    this.#cache = new PinCache(options.bytesMax, options.lifeMs);
  }

  /**
   * A pin for the fingerprint to begin a walk on: new enough, or still the order of the source at this revision.
   * undefined where the order has to be made.
   */
  reusable(fingerprint: string, revision: number): HeldPin | Promise<HeldPin> | undefined {
    const newest = this.#newestOf(fingerprint);
    if (newest === undefined) return undefined;
    const isNew = this.#options.nowMs() - newest.createdAtMs <= this.#options.reuseMs;
    return isNew || newest.revision === revision ? (newest.making ?? this.#cache.get(newest.id)) : undefined;
  }

  /** Whether the pin that is used now should soon be another one: its order may have changed, and its time is running out. */
  isDue(fingerprint: string, revision: number): boolean {
    const newest = this.#newestOf(fingerprint);
    if (newest === undefined || newest.making !== undefined || newest.revision === revision) return false;
    if (this.#renewing.has(fingerprint)) return false;
    return this.#options.nowMs() - newest.createdAtMs > renewalShare * this.#options.reuseMs;
  }

  /**
   * As {@link add}, but nobody waits for it: walks begin on the former pin, within its time, until the new one is stored.
   * Where too many are being stored it does nothing.
   */
  renew(fingerprint: string, rows: Uint8Array, revision: number): void {
    if (this.#same(fingerprint, rows, revision) !== undefined || this.#storing >= storingMax) return;
    const held = this.#hold(fingerprint, rows);
    void this.#storeNext(held, revision);
  }

  /**
   * Pins an order of the source at this revision: stored before this returns, unless the store is away; then it is held
   * in memory alone. An order that is pinned already keeps its pin, so that the same data give the same cursor.
   * Throws DomainError (unavailable) while too many are being stored.
   */
  async add(fingerprint: string, rows: Uint8Array, revision: number): Promise<HeldPin> {
    const same = this.#same(fingerprint, rows, revision);
    if (same !== undefined) return same;
    if (this.#storing >= storingMax) throw new DomainError('unavailable', 'too many lists are being pinned, try again');
    const held = this.#hold(fingerprint, rows);
    const newest = this.#setNewest(held, revision);
    newest.making = this.#store(held).then(() => {
      newest.making = undefined;
      return held;
    });
    return newest.making;
  }

  async #storeNext(held: HeldPin, revision: number): Promise<void> {
    const { fingerprint, createdAtMs } = held.pin;
    this.#renewing.add(fingerprint);
    await this.#store(held);
    this.#renewing.delete(fingerprint);
    // Whoever could not wait for it has made one of their own meanwhile.
    const newest = this.#newest.get(fingerprint);
    if (newest === undefined || newest.createdAtMs <= createdAtMs) this.#setNewest(held, revision);
  }

  #hold(fingerprint: string, rows: Uint8Array): HeldPin {
    const createdAtMs = this.#options.nowMs();
    const id = randomBytes(idBytes).toString('hex');
    return this.#cache.add({ id, createdAtMs, fingerprint, rows }, false, createdAtMs);
  }

  #setNewest({ pin: { id, createdAtMs, fingerprint } }: HeldPin, revision: number): Newest {
    const newest: Newest = { id, createdAtMs, revision, making: undefined };
    this.#newest.delete(fingerprint); // its place is the newest now
    this.#newest.set(fingerprint, newest);
    this.#forgetOld(createdAtMs);
    return newest;
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

  #newestOf(fingerprint: string): Newest | undefined {
    const newest = this.#newest.get(fingerprint);
    if (newest === undefined || this.#options.nowMs() - newest.createdAtMs > this.#options.holdMs) return undefined;
    return newest;
  }

  #same(fingerprint: string, rows: Uint8Array, revision: number): HeldPin | Promise<HeldPin> | undefined {
    const newest = this.#newestOf(fingerprint);
    const held = newest === undefined ? undefined : this.#cache.get(newest.id);
    if (newest === undefined || held === undefined || Buffer.compare(held.pin.rows, rows) !== 0) return undefined;
    newest.revision = revision;
    return newest.making ?? held;
  }

  /** The oldest stand first. */
  #forgetOld(nowMs: number): void {
    for (const [fingerprint, { createdAtMs }] of this.#newest) {
      if (this.#newest.size <= newestMax && nowMs - createdAtMs <= this.#options.holdMs) return;
      this.#newest.delete(fingerprint);
    }
  }
}
