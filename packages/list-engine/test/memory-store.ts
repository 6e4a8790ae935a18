import type { Pin, PinKey, PinStore } from '../src/pin-store.js';

/** A store of pinned orders that can be away. */
export class MemoryStore implements PinStore {
  readonly pins = new Map<string, Pin>();
  isAway = false;
  /** While it is pending, nothing is saved. */
  gate: Promise<void> = Promise.resolve();
  saves = 0;
  loads = 0;

  async save(pin: Pin): Promise<void> {
    this.saves += 1;
    await this.gate;
    if (this.isAway) throw new Error('away');
    this.pins.set(pin.id, { ...pin, rows: pin.rows.slice() });
  }

  async load({ id }: PinKey): Promise<Pin | undefined> {
    this.loads += 1;
    if (this.isAway) throw new Error('away');
    return this.pins.get(id);
  }
}
