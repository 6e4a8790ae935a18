import { type DynamicModule, Module } from '@nestjs/common';
import { BalancesController } from './balances/balances.controller.js';
import { StateInputs } from './inputs/state-inputs.js';
import { MetadataController } from './metadata/metadata.controller.js';
import { PoolsController } from './pools/pools.controller.js';
import { IngestTrades } from './trades/ingest-trades.js';
import { TradesController } from './trades/trades.controller.js';
import { PublishWatermarks } from './watermarks/publish-watermarks.js';

/** The consumer of trades. Its parts are built by start-aggregator, since the transport needs them before Nest. */
@Module({})
export class TradesModule {
  static with(parts: { ingest: IngestTrades; watermarks: PublishWatermarks }): DynamicModule {
    return {
      module: TradesModule,
      controllers: [TradesController],
      providers: [
        { provide: IngestTrades, useValue: parts.ingest },
        { provide: PublishWatermarks, useValue: parts.watermarks },
      ],
    };
  }
}

/** The consumers of pool states, metadata and balances. */
@Module({})
export class StatesModule {
  static with(states: StateInputs): DynamicModule {
    return {
      module: StatesModule,
      controllers: [PoolsController, MetadataController, BalancesController],
      providers: [{ provide: StateInputs, useValue: states }],
    };
  }
}
