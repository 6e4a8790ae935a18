import { getJettonChartPreview } from '@jetton-analytics/common';
import { ReadModel } from '@jetton-analytics/read-model';
import { readRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { instantOf, knownJetton } from '../answers/known-jetton.js';
import type { Env } from '../env.js';
import { AnswerCache } from '../history/answer-cache.js';
import { HistoryStore } from '../history/history-store.js';
import { contextOf } from '../request/read-context.js';
import { getChartPreview } from './get-chart-preview.js';

const contentType = 'image/svg+xml; charset=utf-8';

// A preview moves by less than a pixel within this.
const freshSeconds = 60;

/** The images that `chartPreviews` of a jetton link to. */
@Controller('v1/jettons/:address/chart-previews')
export class ChartPreviewsController {
  readonly #cache: AnswerCache<Buffer>;

  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly store: HistoryStore,
  ) {
    this.#cache = new AnswerCache(settings.HISTORY_CACHE_ENTRIES);
  }

  @Get(':metric-:period-:color.svg')
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { model, store } = this;
    const { path } = readRequest(getJettonChartPreview, requestInputOf(request), contextOf(this.settings, request));
    const hourC = instantOf(model);
    const record = knownJetton(model, path.address);
    const at = hourC - (hourC % freshSeconds);
    const { period, color } = path;
    const { name, symbol } = record.metadata;
    const key = JSON.stringify([record.address, record.decimals, name, symbol, period, color, at]);
    const body = await this.#cache.get(key, async () =>
      Buffer.from(await getChartPreview(store, model.rates, record, { period, color, at })),
    );
    sendBytes(request, reply, { body, asOf: at, contentType }, this.clock.now());
  }
}
