import { getJettonStatistics as operation } from '@jetton-analytics/common';
import { ReadModel } from '@jetton-analytics/read-model';
import { readRequest } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.js';
import { JettonItems } from '../items/jetton-items.js';
import { getJettonStatistics } from './get-jetton-statistics.js';

/** Operation 6. */
@Controller('v1/jettons/:address/stats')
export class JettonStatisticsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly items: JettonItems,
  ) {}

  @Get()
  read(@Param() path: Record<string, string>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const read = readRequest(operation, { url: request.url }, { network: this.settings.NETWORK, path });
    sendBytes(request, reply, getJettonStatistics(this.model, this.items, read.path.address), this.clock.now());
  }
}
