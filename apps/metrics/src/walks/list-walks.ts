import { createClickHousePins, ListWalks } from '@jetton-analytics/list-engine';
import { Clock, LOGGER, type Logger, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { Env } from '../env.js';
import { MarketWalks } from '../markets/market-walks.js';
import { PlaceCursors } from '../request/place-cursor.js';

/** Where this app's pinned orders are kept, for all replicas. */
@Injectable()
class PinnedOrders implements OnApplicationShutdown {
  readonly store: ReturnType<typeof createClickHousePins>;

  constructor(@Inject(SETTINGS) settings: Env) {
    this.store = createClickHousePins(settings, { application: 'jetton-analytics metrics' });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}

const notPinned = (logger: Logger) => (error: unknown) =>
  logger.warn({ err: error }, 'an order was not pinned in the store');

/** What walks through the pages of this app's lists. */
export const walks: Provider[] = [
  PinnedOrders,
  {
    provide: PlaceCursors,
    inject: [SETTINGS],
    useFactory: ({ CURSOR_SECRET }: Env) => new PlaceCursors(CURSOR_SECRET),
  },
  {
    provide: ListWalks,
    inject: [SETTINGS, LOGGER, Clock, PinnedOrders],
    useFactory: (settings: Env, logger: Logger, clock: Clock, { store }: PinnedOrders) =>
      new ListWalks({
        secret: settings.CURSOR_SECRET,
        store,
        nowMs: () => clock.now(),
        reuseMs: settings.LIST_REUSE_MS,
        bytesMax: settings.LIST_PINS_BYTES_MAX,
        onStoreError: notPinned(logger),
      }),
  },
  {
    provide: MarketWalks,
    inject: [LOGGER, Clock, PinnedOrders, PlaceCursors],
    useFactory: (logger: Logger, clock: Clock, { store }: PinnedOrders, cursors: PlaceCursors) =>
      new MarketWalks({ cursors, store, nowMs: () => clock.now(), onStoreError: notPinned(logger) }),
  },
];
