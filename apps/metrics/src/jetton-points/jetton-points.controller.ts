import {
  getJettonHolders,
  getJettonLiquidity,
  getJettonMetrics,
  getJettonPrice,
  getJettonTrustScore,
} from '@jetton-analytics/common';
import { ReadModel } from '@jetton-analytics/read-model';
import { readRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { instantOf, knownJetton, trustScoreOf } from '../answers/known-jetton.js';
import { metricsCurrency, metricsText } from '../answers/metrics-text.js';
import type { Env } from '../env.js';
import { contextOf } from '../request/read-context.js';
import { holdersText, liquidityText, priceText, trustScoreText } from './points-text.js';

/** Single figures of one jetton. */
@Controller('v1/jettons/:address')
export class JettonPointsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
  ) {}

  @Get('metrics')
  metrics(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { path, values } = readRequest(getJettonMetrics, requestInputOf(request), this.context(request));
    const at = instantOf(this.model);
    const record = knownJetton(this.model, path.address);
    const text = metricsText(record, metricsCurrency(values.currency, this.model.rates, at));
    this.send(request, reply, `{"metrics":${text}}`, at);
  }

  @Get('price')
  price(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { path, values } = readRequest(getJettonPrice, requestInputOf(request), this.context(request));
    const at = instantOf(this.model);
    const conversion = { currency: values.currency, rates: this.model.rates, at };
    this.send(request, reply, priceText(knownJetton(this.model, path.address), conversion), at);
  }

  @Get('liquidity')
  liquidity(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { path, values } = readRequest(getJettonLiquidity, requestInputOf(request), this.context(request));
    const at = instantOf(this.model);
    const conversion = { currency: values.currency, rates: this.model.rates, at };
    this.send(request, reply, liquidityText(knownJetton(this.model, path.address), conversion), at);
  }

  @Get('holders')
  holders(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { path } = readRequest(getJettonHolders, requestInputOf(request), this.context(request));
    const at = instantOf(this.model);
    this.send(request, reply, holdersText(knownJetton(this.model, path.address)), at);
  }

  @Get('trust-score')
  trustScore(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { path } = readRequest(getJettonTrustScore, requestInputOf(request), this.context(request));
    const at = instantOf(this.model);
    const score = trustScoreOf(this.model, knownJetton(this.model, path.address));
    this.send(request, reply, trustScoreText(score, at), at);
  }

  private context(request: FastifyRequest) {
    return contextOf(this.settings, request);
  }

  private send(request: FastifyRequest, reply: FastifyReply, text: string, asOf: number): void {
    sendBytes(request, reply, { body: Buffer.from(text), asOf }, this.clock.now());
  }
}
