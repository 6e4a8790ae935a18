import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Upstream } from '../upstream/upstream.js';
import { STATISTICS } from '../upstream/upstream.module.js';

/** Routes of the statistics app. Parameters are checked there. */
@Controller('v1')
export class StatisticsController {
  constructor(@Inject(STATISTICS) private readonly statistics: Upstream) {}

  /** Operation 6. */
  @Get('jettons/:address/stats')
  jettonStatistics(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.statistics.forward(request, reply);
  }

  /** Operation 7. */
  @Get('jettons/:address/markets/:poolAddress/stats')
  marketStatistics(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.statistics.forward(request, reply);
  }

  @Get('status')
  status(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.statistics.forward(request, reply);
  }
}
