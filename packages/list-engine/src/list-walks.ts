import type { ListQuery } from '@jetton-analytics/common';
import { DomainError, invalidArgument, type Violation } from '@jetton-analytics/service';
import { type Cursor, CursorSigner, readCursor, writeCursor } from './cursor.js';
import { fingerprintOf, type ListFamily } from './fingerprint.js';
import type { ListSource } from './list-source.js';
import { ListIndex } from './order-rows.js';
import type { HeldPin } from './pin-cache.js';
import type { PinStore } from './pin-store.js';
import { encodeOrder } from './pinned-order.js';
import { Pins } from './pins.js';

export interface ListPage {
  /** Raw addresses in order; each is a row of the source now. */
  readonly addresses: string[];
  /** Requested addresses that are no rows, in the order of the request; empty without an `address` filter. */
  readonly missing: string[];
  /** Present only where there is a further page. */
  readonly next?: string;
}

export interface ListWalksOptions {
  /** CURSOR_SECRET: at least 32 characters, the same for all replicas. */
  readonly secret: string;
  readonly store: PinStore;
  readonly nowMs: () => number;
  /** First pages begin on a pin of this age while the order is the same; default one hour. It serves 10 minutes more. */
  readonly holdMs?: number;
  /** First pages within this time of a pin with the same filters and order begin on it in any case; default 5 s. */
  readonly reuseMs?: number;
  /** Bytes of pinned orders in memory; default 64 MiB. */
  readonly bytesMax?: number;
  /** How long a replica may be behind another one in learning of a jetton; default 30 s. */
  readonly settleMs?: number;
  readonly onStoreError?: (error: unknown) => void;
}

// What every walk has at least. Source: docs/http-api.md, "Paging".
const walkMs = 600_000;

const invalidCursor: Violation = {
  field: 'cursor',
  reason: 'CURSOR_INVALID',
  message: 'is not a cursor of this service',
};
const foreignCursor: Violation = {
  field: 'cursor',
  reason: 'CURSOR_MISMATCH',
  message: 'was made for other filters, another sort field or another order',
};
const expiredCursor: Violation = {
  field: 'cursor',
  reason: 'CURSOR_EXPIRED',
  message: 'has expired, begin again without it',
};

/**
 * Pages of lists that stay in step: the first page pins the whole order, and its cursors walk that, each jetton once,
 * whatever moves meanwhile and on whichever replica a page lands. Jettons that have vanished since are left out.
 * Source: docs/http-api.md, "Paging".
 */
export class ListWalks {
  readonly #signer: CursorSigner;
  readonly #pins: Pins;
  readonly #nowMs: () => number;
  readonly #lifeMs: number;
  readonly #settleMs: number;
  readonly #indexes = new WeakMap<ListSource, ListIndex>();

  /** Throws RangeError for a secret of fewer than 32 characters. */
  constructor(options: ListWalksOptions) {
    const { secret, store, nowMs, reuseMs = 5_000, bytesMax = 64 * 2 ** 20, onStoreError } = options;
    const holdMs = Math.max(options.holdMs ?? 3_600_000, reuseMs);
    this.#lifeMs = holdMs + walkMs;
    this.#signer = new CursorSigner(secret);
    this.#pins = new Pins({ store, nowMs, lifeMs: this.#lifeMs, reuseMs, holdMs, bytesMax, onStoreError });
    this.#nowMs = nowMs;
    this.#settleMs = options.settleMs ?? 30_000;
  }

  /** What is wrong with a cursor as far as it tells without a query: for requests that list all violations at once. */
  checkCursor(text: string): Violation | undefined {
    const cursor = readCursor(this.#signer, text);
    if (cursor === undefined) return invalidCursor;
    return this.#isExpired(cursor) ? expiredCursor : undefined;
  }

  /**
   * A page of a list. Throws DomainError: invalidArgument (CURSOR_INVALID, CURSOR_MISMATCH, CURSOR_EXPIRED), unavailable
   * where the pinned order is not here and its store does not have it now.
   */
  async page(source: ListSource, family: ListFamily, query: ListQuery): Promise<ListPage> {
    const fingerprint = fingerprintOf(family, query);
    const { cursor: text } = query;
    const page =
      text === undefined
        ? await this.#firstPage(source, query, fingerprint)
        : await this.#nextPage(source, query, this.#cursorOf(text, fingerprint));
    const isMissing = (address: string) => {
      const row = source.rowOf(address);
      return row === undefined || !source.isRow(row);
    };
    return { ...page, missing: query.address.filter((address) => isMissing(address)) };
  }

  #cursorOf(text: string, fingerprint: string): Cursor {
    const cursor = readCursor(this.#signer, text);
    if (cursor === undefined) throw invalidArgument([invalidCursor]);
    if (cursor.fingerprint !== fingerprint) throw invalidArgument([foreignCursor]);
    if (this.#isExpired(cursor)) throw invalidArgument([expiredCursor]);
    return cursor;
  }

  #isExpired({ createdAtMs }: Cursor): boolean {
    return this.#nowMs() - createdAtMs > this.#lifeMs;
  }

  async #firstPage(source: ListSource, query: ListQuery, fingerprint: string): Promise<Omit<ListPage, 'missing'>> {
    // Looked up and made within one turn, so that requests of one moment share a pin.
    const { revision } = source;
    const reusable = this.#pins.reusable(fingerprint, revision);
    const index = this.#indexOf(source);
    if (reusable !== undefined) {
      if (this.#pins.isDue(fingerprint, revision)) {
        const rows = index.orderRows(query);
        if (rows.length > query.limit) {
          this.#pins.renew(fingerprint, encodeOrder(rows, source, index.addresses), revision);
        }
      }
      return this.#pageOf(await reusable, 0, source, query.limit);
    }
    const rows = index.orderRows(query);
    if (rows.length <= query.limit) return { addresses: Array.from(rows, (row) => source.address(row)) };
    const held = await this.#pins.add(fingerprint, encodeOrder(rows, source, index.addresses), revision);
    return this.#pageOf(held, 0, source, query.limit);
  }

  async #nextPage(source: ListSource, { limit }: ListQuery, cursor: Cursor): Promise<Omit<ListPage, 'missing'>> {
    const held = await this.#pins.get({ id: cursor.pinId, createdAtMs: cursor.createdAtMs });
    return this.#pageOf(held, cursor.place, source, limit);
  }

  #pageOf(held: HeldPin, start: number, source: ListSource, limit: number): Omit<ListPage, 'missing'> {
    const { pin, order } = held;
    const { addresses: index } = this.#indexOf(source);
    index.update();
    const addresses: string[] = [];
    // A jetton this process has never heard of: it may be about to, or it had vanished before this process began.
    const isYoung = this.#nowMs() - pin.createdAtMs < this.#settleMs;
    for (let place = start; place < order.count; place += 1) {
      const row = order.rowAt(place, index);
      const isHere = row !== undefined && source.isRow(row);
      const isAwaited = row === undefined && isYoung;
      if (!isHere && !isAwaited) continue;
      if (addresses.length === limit) return { addresses, next: this.#cursorAt(held, place) };
      if (row === undefined) throw new DomainError('unavailable', 'a jetton of this page is not here yet, try again');
      addresses.push(source.address(row));
    }
    return { addresses };
  }

  #cursorAt(held: HeldPin, place: number): string {
    if (held.cursor?.place === place) return held.cursor.text;
    const { id, createdAtMs, fingerprint } = held.pin;
    const text = writeCursor(this.#signer, { pinId: id, createdAtMs, fingerprint, place });
    held.cursor = { place, text };
    return text;
  }

  #indexOf(source: ListSource): ListIndex {
    let index = this.#indexes.get(source);
    if (index === undefined) {
      index = new ListIndex(source);
      this.#indexes.set(source, index);
    }
    return index;
  }
}
