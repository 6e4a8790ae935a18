import type { Pin } from './pin-store.js';
import { PinnedOrder } from './pinned-order.js';

/** A pinned order in memory. */
export interface HeldPin {
  readonly pin: Pin;
  readonly order: PinnedOrder;
  /** Whether the store has it. */
  isStored: boolean;
  /** The cursor of the place asked for last: mostly that of the second page. */
  cursor: { readonly place: number; readonly text: string } | undefined;
}

// Keys, maps and objects around the bytes of an order.
const overheadBytes = 512;
const sweepEveryMs = 10_000;

/** Pinned orders in memory, within a bound of bytes and hardly longer than they live. */
export class PinCache {
  readonly #held = new Map<string, HeldPin>();
  #bytes = 0;
  #sweptAtMs = 0;

  constructor(
    readonly bytesMax: number,
    readonly lifeMs: number,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The pin, which now counts as just used. */
  get(id: string): HeldPin | undefined {
    const held = this.#held.get(id);
    if (held === undefined) return undefined;
    this.#held.delete(id);
    this.#held.set(id, held);
    return held;
  }

  add(pin: Pin, isStored: boolean, nowMs: number): HeldPin {
    const held: HeldPin = { pin, order: new PinnedOrder(pin.rows), isStored, cursor: undefined };
    this.#drop(pin.id);
    this.#held.set(pin.id, held);
    this.#bytes += sizeOf(pin);
    this.#dropExpired(nowMs);
    this.#shrink(pin.id);
    return held;
  }

  #dropExpired(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < sweepEveryMs) return;
    this.#sweptAtMs = nowMs;
    for (const { pin } of this.#held.values()) if (nowMs - pin.createdAtMs > this.lifeMs) this.#drop(pin.id);
  }

  /** Drops the least recently used until the bound holds: stored ones first, since those can be had again. */
  #shrink(newestId: string): void {
    for (const canDrop of [(held: HeldPin) => held.isStored, () => true]) {
      for (const held of this.#held.values()) {
        if (this.#bytes <= this.bytesMax) return;
        if (held.pin.id !== newestId && canDrop(held)) this.#drop(held.pin.id);
      }
    }
  }

  #drop(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#bytes -= sizeOf(held.pin);
  }
}

const sizeOf = (pin: Pin): number => pin.rows.byteLength + overheadBytes;
