import { getStatus as operation } from '@jetton-analytics/common';
import { Inputs, ReadModel } from '@jetton-analytics/read-model';
import { readRequest } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.js';
import { oldestOf } from '../request/calculated-at.js';
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
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    readRequest(operation, { url: request.url }, { network: this.settings.NETWORK });
    const nowMs = this.clock.now();
    const { calculatedAt } = this.model;
    const asOf = calculatedAt === undefined ? asOfOf(this.model, this.inputs) : oldestOf(calculatedAt);
    const body = Buffer.from(JSON.stringify(getStatus(this.model, this.inputs, nowMs)));
    void reply.header('Cache-Control', 'no-store');
    sendBytes(request, reply, { body, asOf }, nowMs);
  }
}
