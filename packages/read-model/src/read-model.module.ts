import { type ClickHouseReader, createReader } from '@jetton-analytics/clickhouse';
import { SETTINGS, statementSeconds } from '@jetton-analytics/service';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ReadModelFollower } from './follow/read-model-follower.js';
import { Inputs } from './inputs/inputs.js';
import { ItemCache } from './items/item-cache.js';
import { ReadModelMetrics } from './read-model-metrics.js';
import { ReadModelTables } from './read-model-tables.js';
import { ReadModel } from './read-model.js';
import type { ReadModelSettings } from './settings.js';
import { PostgresReader } from './stores/postgres-reader.js';
import { CLICKHOUSE } from './stores/tokens.js';

const mib = 1024 * 1024;

export interface ReadModelOptions {
  /** Name of the app, as the stores show it: `statistics`. */
  readonly application: string;
}

/** Gives an app ReadModel, Inputs and ItemCache to inject; the app's settings must hold `readModelSettings`. */
@Module({})
export class ReadModelModule {
  static with({ application: name }: ReadModelOptions): DynamicModule {
    const application = `jetton-analytics ${name}`;
    return {
      module: ReadModelModule,
      providers: [
        ReadModelTables,
        ReadModel,
        Inputs,
        ReadModelFollower,
        ReadModelMetrics,
        {
          provide: CLICKHOUSE,
          inject: [SETTINGS, Registry],
          useFactory: (settings: ReadModelSettings, registry: Registry): ClickHouseReader =>
            createReader(settings, {
              application,
              lane: 'read',
              connectionsMax: 4,
              onStatement: statementSeconds(registry),
            }),
        },
        {
          provide: PostgresReader,
          inject: [SETTINGS],
          useFactory: ({ DATABASE_URL }: ReadModelSettings) => new PostgresReader(DATABASE_URL, { application }),
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
