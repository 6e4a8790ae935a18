import { getJettonPriceChart } from '@jetton-analytics/common';
import { formatInstant } from '@jetton-analytics/figures';
import { ReadModel } from '@jetton-analytics/read-model';
import { readChartRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { amountJson } from '../answers/jetton-text.js';
import { instantOf, knownJetton } from '../answers/known-jetton.js';
import type { Env } from '../env.js';
import { AnswerCache } from '../history/answer-cache.js';
import { HistoryStore } from '../history/history-store.js';
import { contextOf } from '../request/read-context.js';
import { type ChartPoint, getPriceChart } from './get-price-chart.js';

/** `GET /v1/jettons/{address}/price/chart`. */
@Controller('v1/jettons/:address/price/chart')
export class PriceChartController {
  readonly #cache: AnswerCache<Buffer>;

  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly store: HistoryStore,
  ) {
    this.#cache = new AnswerCache(settings.HISTORY_CACHE_ENTRIES);
  }

  @Get()
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { model, store } = this;
    const context = { ...contextOf(this.settings, request), nowSeconds: model.hourC ?? 0 };
    const { path, ...query } = readChartRequest(getJettonPriceChart, requestInputOf(request), context);
    const asOf = instantOf(model);
    const { address, decimals } = knownJetton(model, path.address);
    // Late trades change past prices too: an answer is good until the next snapshot.
    const key = JSON.stringify([address, decimals, query, asOf]);
    const body = await this.#cache.get(key, async () =>
      chartBytes(await getPriceChart(store, model.rates, { jetton: address, decimals, ...query })),
    );
    sendBytes(request, reply, { body, asOf }, this.clock.now());
  }
}

/** Newest first. */
function chartBytes(points: readonly ChartPoint[]): Buffer {
  const texts = points
    .toReversed()
    .map(({ time, value }) => `{"value":${amountJson(value)},"time":"${formatInstant(time)}"}`);
  return Buffer.from(`{"points":[${texts.join(',')}]}`);
}
