import { type DynamicModule, Module } from '@nestjs/common';
import { IngestTrades } from './trades/ingest-trades.js';
import { TradesController } from './trades/trades.controller.js';
import { PublishWatermarks } from './watermarks/publish-watermarks.js';

/** The consumers of the feed. Their parts are built by start-aggregator, since the transport needs them before Nest. */
@Module({})
export class AppModule {
  static with(parts: { ingest: IngestTrades; watermarks: PublishWatermarks }): DynamicModule {
    return {
      module: AppModule,
      controllers: [TradesController],
      providers: [
        { provide: IngestTrades, useValue: parts.ingest },
        { provide: PublishWatermarks, useValue: parts.watermarks },
      ],
    };
  }
}
