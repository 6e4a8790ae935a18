import { getJettonDetails as operation } from '@jetton-analytics/common';
import { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { readRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JettonTexts } from '../answers/jetton-text.js';
import { instantOf, knownJetton } from '../answers/known-jetton.js';
import type { Env } from '../env.js';
import { contextOf } from '../request/read-context.js';
import { getJettonDetails } from './get-jetton-details.js';

/** Operation 2. */
@Controller('v1/jettons/:address')
export class JettonDetailsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly texts: JettonTexts,
    private readonly addressBook: AddressBookWriter,
  ) {}

  @Get()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { model, texts, addressBook } = this;
    const { path } = readRequest(operation, requestInputOf(request), contextOf(this.settings, request));
    const asOf = instantOf(model);
    const text = getJettonDetails({ model, texts, addressBook }, knownJetton(model, path.address), asOf);
    sendBytes(request, reply, { body: Buffer.from(text), asOf }, this.clock.now());
  }
}
