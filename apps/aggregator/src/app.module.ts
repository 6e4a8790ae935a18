import { type DynamicModule, Module } from '@nestjs/common';
import { BalancesController } from './balances/balances.controller.js';
import { StateInputs } from './inputs/state-inputs.js';
import { MetadataController } from './metadata/metadata.controller.js';
import { PoolsController } from './pools/pools.controller.js';
import { IngestTrades } from './trades/ingest-trades.js';
import { TradesController } from './trades/trades.controller.js';
import { PublishWatermarks } from './watermarks/publish-watermarks.js';

/** The consumers of the feed. Their parts are built by start-aggregator, since the transport needs them before Nest. */
@Module({})
export class AppModule {
  static with(parts: { ingest: IngestTrades; watermarks: PublishWatermarks; states: StateInputs }): DynamicModule {
    return {
      module: AppModule,
      controllers: [TradesController, PoolsController, MetadataController, BalancesController],
      providers: [
        { provide: IngestTrades, useValue: parts.ingest },
        { provide: PublishWatermarks, useValue: parts.watermarks },
        { provide: StateInputs, useValue: parts.states },
      ],
    };
  }
}
