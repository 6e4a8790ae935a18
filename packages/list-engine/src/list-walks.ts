import type { ListQuery } from '@jetton-analytics/common';
import type { Violation } from '@jetton-analytics/service';
import type { ListSource } from './list-source.js';
import type { PinStore } from './pin-store.js';

/** Lists whose cursors can be exchanged: operations 4 and 5 share one. */
export type ListFamily = 'jettons' | 'metrics' | 'stats';

export interface ListPage {
  /** Raw addresses in order; each is a row of the source now. */
  readonly addresses: string[];
  /** Requested addresses that are no rows; empty without an `address` filter. */
  readonly missing: string[];
  /** Present only where there is a further page. */
  readonly next?: string;
}

export interface ListWalksOptions {
  /** CURSOR_SECRET: at least 32 characters, the same for all replicas. */
  readonly secret: string;
  readonly store: PinStore;
  readonly nowMs: () => number;
  /** A pin serves for at least this long; default 10 minutes. */
  readonly lifeMs?: number;
  /** First pages within this time of a pin with the same filters and order may continue on it; default 5 s. */
  readonly reuseMs?: number;
  /** Bytes of pinned orders in memory; default 64 MiB. */
  readonly bytesMax?: number;
}

export interface ListWalksApi {
  /**
   * A page of a list. Throws DomainError: invalidArgument (CURSOR_INVALID, CURSOR_MISMATCH, CURSOR_EXPIRED), unavailable
   * where the pinned order is not here and its store does not answer.
   */
  page(source: ListSource, family: ListFamily, query: ListQuery): Promise<ListPage>;
  /** What is wrong with a cursor as far as it can be told without the pin: for requests that list all violations. */
  checkCursor(cursor: string): Violation | undefined;
}
