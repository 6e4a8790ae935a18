import { getJettonMarketStatistics as operation } from '@jetton-analytics/common';
import { ItemCache, ReadModel } from '@jetton-analytics/read-model';
import { readRequest } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.js';
import { getMarketStatistics } from './get-market-statistics.js';

/** Operation 7. */
@Controller('v1/jettons/:address/markets/:poolAddress/stats')
export class MarketStatisticsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly cache: ItemCache,
  ) {}

  @Get()
  read(@Param() path: Record<string, string>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const read = readRequest(operation, { url: request.url }, { network: this.settings.NETWORK, path });
    sendBytes(request, reply, getMarketStatistics(this.model, this.cache, read.path), this.clock.now());
  }
}
