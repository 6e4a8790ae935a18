import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { ConsumedBatch } from '@jetton-analytics/kafka';
import { ConsumesTopic } from '@jetton-analytics/kafka/server';
import { StateInputs } from '../inputs/state-inputs.js';

@Controller()
export class BalancesController {
  constructor(private readonly inputs: StateInputs) {}

  @ConsumesTopic('balances')
  async consume(@Payload() batch: ConsumedBatch): Promise<void> {
    const progress = await this.inputs.balances.ingest(batch);
    await this.inputs.watermarks.balances.batchDurable(batch.partition, progress);
  }
}
