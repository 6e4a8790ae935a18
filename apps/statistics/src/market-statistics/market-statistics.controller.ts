import { Clock, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.js';
import { ItemCache, ReadModel } from '@jetton-analytics/read-model';
import { checkRequest } from '../request/check-request.js';
import { calculatedAtOf, dataAgeHeaders, oldestOf } from '../request/data-age.js';
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
  read(
    @Param('address') address: string,
    @Param('poolAddress') poolAddress: string,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    const checked = checkRequest({ url, network: this.settings.NETWORK, addresses: { address, poolAddress } });
    const calculatedAt = calculatedAtOf(this.model);
    void reply.headers(dataAgeHeaders(oldestOf(calculatedAt), this.clock.now()));
    const body = getMarketStatistics(this.model, this.cache, calculatedAt, checked);
    void reply.header('Content-Type', 'application/json');
    return body;
  }
}
