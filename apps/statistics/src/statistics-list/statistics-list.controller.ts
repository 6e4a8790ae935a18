import {
  getJettonStatisticsList,
  getJettonStatisticsListPost,
  type listRequest,
  type Operation,
} from '@jetton-analytics/common';
import { ListWalks } from '@jetton-analytics/list-engine';
import { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { readListRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.js';
import { JettonItems } from '../items/jetton-items.js';
import { listStatistics } from './list-statistics.js';

/** Operations 4 and 5. */
@Controller('v1/jettons/stats')
export class StatisticsListController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly items: JettonItems,
    private readonly book: AddressBookWriter,
    private readonly walks: ListWalks,
  ) {}

  @Get()
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.#answer(getJettonStatisticsList, request, reply);
  }

  @Post()
  async readByBody(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.#answer(getJettonStatisticsListPost, request, reply);
  }

  async #answer(operation: Operation<typeof listRequest>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { model, items, book, walks } = this;
    const query = readListRequest(operation, requestInputOf(request), {
      network: this.settings.NETWORK,
      checkCursor: (cursor) => walks.checkCursor(cursor),
    });
    sendBytes(request, reply, await listStatistics({ model, items, book, walks }, query), this.clock.now());
  }
}
