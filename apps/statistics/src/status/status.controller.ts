import { Clock, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.js';
import { Inputs, ReadModel } from '@jetton-analytics/read-model';
import { checkRequest } from '../request/check-request.js';
import { dataAgeHeaders, oldestOf } from '../request/data-age.js';
import { asOfOf, getStatus } from './get-status.js';

@Controller('v1/status')
export class StatusController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly inputs: Inputs,
  ) {}

  @Get()
  read(@Req() { url }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    checkRequest({ url, network: this.settings.NETWORK, addresses: {} });
    const nowMs = this.clock.now();
    const { calculatedAt } = this.model;
    const asOf = calculatedAt === undefined ? asOfOf(this.model, this.inputs) : oldestOf(calculatedAt);
    if (asOf !== undefined) void reply.headers(dataAgeHeaders(asOf, nowMs));
    void reply.headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    return Buffer.from(JSON.stringify(getStatus(this.model, this.inputs, nowMs)));
  }
}
