import { getTradingVolumeChangeList } from '@jetton-analytics/common';
import { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { readRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { listChanges } from '../change-lists/list-changes.js';
import type { Env } from '../env.js';
import { JettonItems } from '../items/jetton-items.js';

/** Operation 10. */
@Controller('v1/jettons/trading-volume/change')
export class TradingVolumeController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly items: JettonItems,
    private readonly book: AddressBookWriter,
  ) {}

  @Post()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { model, book } = this;
    const { values } = readRequest(getTradingVolumeChangeList, requestInputOf(request), {
      network: this.settings.NETWORK,
    });
    const itemOf = (address: string) => this.items.volumeChanges(address, values.currency);
    sendBytes(request, reply, listChanges({ model, book, itemOf }, values.address), this.clock.now());
  }
}
