import { randomBytes } from 'node:crypto';
import type { Pin, PinKey, PinStore } from '@jetton-analytics/list-engine';
import { DomainError, invalidArgument, type Violation } from '@jetton-analytics/service';
import type { PlaceCursors } from '../request/place-cursor.js';

export interface MarketWalksOptions {
  readonly cursors: PlaceCursors;
  readonly store: PinStore;
  nowMs(): number;
  /** An order that was not stored is held in memory only. */
  onStoreError(error: unknown): void;
}

/** While an order stays the same, first pages share its pin: the same data give the same cursor. */
const holdMs = 60 * 60_000;
const lifeMs = holdMs + 10 * 60_000;
const pinsMax = 1_000;
const retryAfterSeconds = 2;

const expired: Violation = {
  field: 'cursor',
  reason: 'CURSOR_EXPIRED',
  message: 'has expired, begin again without it',
};

const unavailable = (cause?: unknown) =>
  new DomainError('unavailable', 'the order of this list cannot be read now, try again', { cause, retryAfterSeconds });

const encode = (pools: readonly string[]): Buffer => Buffer.from(pools.join(','));
const decode = (rows: Uint8Array): string[] => Buffer.from(rows).toString().split(',');

/**
 * Pages of a list of pools whose order moves: the first page keeps the order for the pages that follow, here and in the
 * store, so that a walk gives each pool exactly once on whichever replica its pages land. Source: docs/http-api.md, "Paging".
 */
export class MarketWalks {
  readonly #kept = new Map<string, Pin>();
  /** By what the list is of; bounded like the pins. */
  readonly #newest = new Map<string, Pin>();

  constructor(private readonly options: MarketWalksOptions) {}

  /**
   * The pools of a page. `made` says what the list is of, `order` gives its pools in their order now. Throws DomainError
   * (invalidArgument) for a cursor that is invalid, of another list or expired; unavailable where its order is not at
   * hand.
   */
  async page(
    made: unknown,
    { cursor, limit }: { cursor: string | undefined; limit: number },
    order: () => readonly string[],
  ): Promise<{ pools: readonly string[]; next: string | undefined }> {
    const { cursors } = this.options;
    const [pin, start] =
      cursor === undefined
        ? [this.#begin(made, order()), 0]
        : await this.#resume(cursors.read(['markets', made], cursor));
    const pools = decode(pin.rows).filter((pool) => pool !== '');
    const end = start + limit;
    if (end >= pools.length) return { pools: pools.slice(start), next: undefined };
    if (cursor === undefined && !this.#kept.has(pin.id)) await this.#keep(made, pin);
    return { pools: pools.slice(start, end), next: cursors.write(['markets', made], [pin.id, pin.createdAtMs, end]) };
  }

  #begin(made: unknown, order: readonly string[]): Pin {
    const nowMs = this.options.nowMs();
    const rows = encode(order);
    const newest = this.#newest.get(JSON.stringify(made));
    if (newest !== undefined && nowMs - newest.createdAtMs <= holdMs && rows.equals(newest.rows)) return newest;
    return { id: randomBytes(16).toString('hex'), createdAtMs: nowMs, fingerprint: 'markets', rows };
  }

  async #keep(made: unknown, pin: Pin): Promise<void> {
    remember(this.#kept, pin.id, pin);
    remember(this.#newest, JSON.stringify(made), pin);
    try {
      await this.options.store.save(pin);
    } catch (error) {
      this.options.onStoreError(error);
    }
  }

  async #resume([id, createdAtMs, start]: readonly (string | number)[]): Promise<readonly [Pin, number]> {
    const key = { id: String(id), createdAtMs: Number(createdAtMs) };
    if (this.options.nowMs() - key.createdAtMs > lifeMs) throw invalidArgument([expired]);
    const pin = this.#kept.get(key.id) ?? (await this.#load(key));
    return [pin, Number(start)];
  }

  async #load(key: PinKey): Promise<Pin> {
    const pin = await this.options.store.load(key).catch((error: unknown) => {
      throw unavailable(error);
    });
    // A pin younger than its life is not in the store: it was held in memory only, by another replica.
    if (pin === undefined) throw unavailable();
    remember(this.#kept, pin.id, pin);
    return pin;
  }
}

/** Takes a pin in as the newest, and lets the oldest go beyond the bound. */
function remember(pins: Map<string, Pin>, key: string, pin: Pin): void {
  pins.delete(key);
  pins.set(key, pin);
  for (const oldest of pins.keys()) {
    if (pins.size <= pinsMax) break;
    pins.delete(oldest);
  }
}
