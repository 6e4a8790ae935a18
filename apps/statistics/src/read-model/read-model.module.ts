import { type ClickHouseReader, createReader } from '@jetton-analytics/clickhouse';
import { SETTINGS } from '@jetton-analytics/service';
import { Module } from '@nestjs/common';
import type { Env } from '../env.js';
import { Inputs } from './inputs.js';
import { ItemCache } from './item-cache.js';
import { ReadModelFollower, STORE } from './read-model-follower.js';
import { ReadModelMetrics } from './read-model-metrics.js';
import { ReadModel } from './read-model.js';

const mib = 1024 * 1024;

@Module({
  providers: [
    ReadModel,
    Inputs,
    ReadModelFollower,
    ReadModelMetrics,
    {
      provide: STORE,
      inject: [SETTINGS],
      useFactory: (settings: Env): ClickHouseReader =>
        createReader(settings, { application: 'jetton-analytics statistics', lane: 'read', connectionsMax: 4 }),
    },
    {
      provide: ItemCache,
      inject: [SETTINGS],
      useFactory: (settings: Env) => new ItemCache(settings.ITEM_CACHE_MIB * mib),
    },
  ],
  exports: [ReadModel, Inputs, ItemCache],
})
export class ReadModelModule {}
