import { getJettonMetricsList, getJettonMetricsListPost } from '@jetton-analytics/common';
import { ListWalks } from '@jetton-analytics/list-engine';
import { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { readListRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { instantOf } from '../answers/known-jetton.js';
import type { Env } from '../env.js';
import { contextOf } from '../request/read-context.js';
import { listMetrics } from './list-metrics.js';

/** Operation 3 and its body form. */
@Controller('v1/jettons/metrics')
export class MetricsListController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly walks: ListWalks,
    private readonly addressBook: AddressBookWriter,
  ) {}

  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(getJettonMetricsList, request, reply);
  }

  @Post()
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(getJettonMetricsListPost, request, reply);
  }

  private async answer(
    operation: typeof getJettonMetricsList,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { model, walks, addressBook } = this;
    const checkCursor = (cursor: string) => walks.checkCursor(cursor);
    const query = readListRequest(operation, requestInputOf(request), {
      ...contextOf(this.settings, request),
      checkCursor,
    });
    const asOf = instantOf(model);
    const text = await listMetrics({ model, walks, addressBook }, query, asOf);
    sendBytes(request, reply, { body: Buffer.from(text), asOf }, this.clock.now());
  }
}
