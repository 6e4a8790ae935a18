import { getJettons, getJettonsPost } from '@jetton-analytics/common';
import { ListWalks } from '@jetton-analytics/list-engine';
import { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { readListRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JettonTexts } from '../answers/jetton-text.js';
import { instantOf } from '../answers/known-jetton.js';
import type { Env } from '../env.js';
import { contextOf } from '../request/read-context.js';
import { listJettons } from './list-jettons.js';

/** Operation 1 and its body form. */
@Controller('v1/jettons')
export class JettonsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly walks: ListWalks,
    private readonly texts: JettonTexts,
    private readonly addressBook: AddressBookWriter,
  ) {}

  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(getJettons, request, reply);
  }

  @Post()
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(getJettonsPost, request, reply);
  }

  private async answer(operation: typeof getJettons, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { model, walks, texts, addressBook } = this;
    const checkCursor = (cursor: string) => walks.checkCursor(cursor);
    const query = readListRequest(operation, requestInputOf(request), {
      ...contextOf(this.settings, request),
      checkCursor,
    });
    const asOf = instantOf(model);
    const text = await listJettons({ model, walks, texts, addressBook }, query, asOf);
    sendBytes(request, reply, { body: Buffer.from(text), asOf }, this.clock.now());
  }
}
