import { getJettonMarkets } from '@jetton-analytics/common';
import { AddressBookWriter, jettonBookText, ReadModel } from '@jetton-analytics/read-model';
import { readRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { instantOf, knownJetton } from '../answers/known-jetton.js';
import type { Env } from '../env.js';
import { PlaceCursors } from '../request/place-cursor.js';
import { contextOf } from '../request/read-context.js';
import { LastTrades } from './last-trades.js';
import { MarketWalks } from './market-walks.js';
import { byLiquidity, marketAddresses, marketText } from './markets-text.js';

/** `GET /v1/jettons/{address}/markets`. */
@Controller('v1/jettons/:address/markets')
export class MarketsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly walks: MarketWalks,
    private readonly lastTrades: LastTrades,
    private readonly cursors: PlaceCursors,
    private readonly addressBook: AddressBookWriter,
  ) {}

  @Get()
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { model, walks, addressBook } = this;
    const checkCursor = (cursor: string) => this.cursors.check(cursor);
    const context = { ...contextOf(this.settings, request), checkCursor };
    const { path, values } = readRequest(getJettonMarkets, requestInputOf(request), context);
    const { cursor, limit, exchangeId } = values;
    const asOf = instantOf(model);
    const { address } = knownJetton(model, path.address);
    const { pools, next } = await walks.page([address, exchangeId ?? null], { cursor, limit }, () =>
      model
        .markets(address)
        .filter((market) => exchangeId === undefined || market.exchangeId === exchangeId)
        .toSorted(byLiquidity)
        .map(({ poolAddress }) => poolAddress),
    );
    const markets = pools.flatMap((pool) => model.marketRecord(address, pool) ?? []);
    const counterparts = markets.flatMap(({ counterpart = 'ton' }) => model.row(counterpart) ?? []);
    const book = addressBook.text(marketAddresses(markets));
    const jettons = jettonBookText(new Set(counterparts));
    const end = next === undefined ? '}' : `,"next":"${next}"}`;
    const lastTrades = await this.lastTrades.of(
      address,
      markets.map(({ poolAddress }) => poolAddress),
      asOf,
    );
    const items = markets.map((market) => marketText(market, lastTrades.get(market.poolAddress))).join(',');
    const text = `{"markets":[${items}],"addressBook":${book},"jettons":${jettons}${end}`;
    sendBytes(request, reply, { body: Buffer.from(text), asOf }, this.clock.now());
  }
}
