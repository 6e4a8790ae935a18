import { type ClickHouseReader, createReader } from '@jetton-analytics/clickhouse';
import { SETTINGS } from '@jetton-analytics/service';
import { type DynamicModule, Module } from '@nestjs/common';
import { ReadModelFollower, STORE } from './follow/read-model-follower.js';
import { Inputs } from './inputs/inputs.js';
import { ItemCache } from './items/item-cache.js';
import { ReadModelMetrics } from './read-model-metrics.js';
import { ReadModel } from './read-model.js';
import type { ReadModelSettings } from './settings.js';
import { Snapshots } from './snapshots/snapshots.js';

const mib = 1024 * 1024;

export interface ReadModelOptions {
  /** Name of the app, as the stores and the metrics show it: `statistics`. */
  readonly application: string;
}

/** Gives an app ReadModel, Inputs and ItemCache to inject; its settings must hold `readModelSettings`. */
@Module({})
export class ReadModelModule {
  static with({ application }: ReadModelOptions): DynamicModule {
    return {
      module: ReadModelModule,
      providers: [
        Snapshots,
        Inputs,
        ReadModelFollower,
        ReadModelMetrics,
        {
          provide: ReadModel,
          inject: [Snapshots],
          useFactory: (snapshots: Snapshots) => new ReadModel(snapshots),
        },
        {
          provide: STORE,
          inject: [SETTINGS],
          useFactory: (settings: ReadModelSettings): ClickHouseReader =>
            createReader(settings, {
              application: `jetton-analytics ${application}`,
              lane: 'read',
              connectionsMax: 4,
            }),
        },
        {
          provide: ItemCache,
          inject: [SETTINGS],
          useFactory: (settings: ReadModelSettings) => new ItemCache(settings.ITEM_CACHE_MIB * mib),
        },
      ],
      exports: [ReadModel, Inputs, ItemCache],
    };
  }
}
