import {
  type addressesRequest,
  getPriceChange,
  getPriceChangePost,
  getTradersChange,
  getTradersChangePost,
  getTransactionsChange,
  getTransactionsChangePost,
  type Operation,
} from '@jetton-analytics/common';
import type { StatisticsTemplate } from '@jetton-analytics/figures';
import { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { readRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.js';
import { JettonItems } from '../items/jetton-items.js';
import { listChanges } from './list-changes.js';

type AddressesOperation = Operation<typeof addressesRequest>;

/** Operations 8 and 9, and the like for traders and prices. */
@Controller('v1/jettons')
export class ChangeListsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly items: JettonItems,
    private readonly book: AddressBookWriter,
  ) {}

  @Get('transactions/change')
  transactions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#answer(getTransactionsChange, request, reply, (address) => this.items.transactionChanges(address));
  }

  @Post('transactions/change')
  transactionsByBody(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#answer(getTransactionsChangePost, request, reply, (address) => this.items.transactionChanges(address));
  }

  @Get('traders/change')
  traders(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#answer(getTradersChange, request, reply, (address) => this.items.tradersChanges(address));
  }

  @Post('traders/change')
  tradersByBody(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#answer(getTradersChangePost, request, reply, (address) => this.items.tradersChanges(address));
  }

  @Get('price/change')
  prices(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#answer(getPriceChange, request, reply, (address) => this.items.priceChanges(address));
  }

  @Post('price/change')
  pricesByBody(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#answer(getPriceChangePost, request, reply, (address) => this.items.priceChanges(address));
  }

  #answer(
    operation: AddressesOperation,
    request: FastifyRequest,
    reply: FastifyReply,
    itemOf: (address: string) => StatisticsTemplate | undefined,
  ): void {
    const { model, book } = this;
    const { values } = readRequest(operation, requestInputOf(request), { network: this.settings.NETWORK });
    sendBytes(request, reply, listChanges({ model, book, itemOf }, values.address), this.clock.now());
  }
}
