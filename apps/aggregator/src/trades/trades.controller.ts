import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { ConsumedBatch } from '@jetton-analytics/kafka';
import { ConsumesTopic } from '@jetton-analytics/kafka/server';
import { PublishWatermarks } from '../watermarks/publish-watermarks.js';
import { IngestTrades } from './ingest-trades.js';

/** Name of the trades topic among the handlers; its real name is a setting. */
export const tradesPattern = 'trades';

@Controller()
export class TradesController {
  constructor(
    private readonly trades: IngestTrades,
    private readonly watermarks: PublishWatermarks,
  ) {}

  @ConsumesTopic(tradesPattern)
  async consume(@Payload() batch: ConsumedBatch): Promise<void> {
    const progress = await this.trades.ingest(batch);
    await this.watermarks.batchDurable(batch.partition, progress);
  }
}
