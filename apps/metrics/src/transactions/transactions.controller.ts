import { getJettonTransactions } from '@jetton-analytics/common';
import { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { readRequest, requestInputOf } from '@jetton-analytics/requests';
import { Clock, sendBytes, SETTINGS } from '@jetton-analytics/service';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { instantOf, knownJetton } from '../answers/known-jetton.js';
import { KnownAssets } from '../answers/known-assets.js';
import type { Env } from '../env.js';
import { withinHistory } from '../history/history-range.js';
import { HistoryStore } from '../history/history-store.js';
import { PlaceCursors } from '../request/place-cursor.js';
import { contextOf } from '../request/read-context.js';
import { listTransactions, type Place } from './list-transactions.js';
import { transactionText } from './transaction-text.js';

/** `GET /v1/jettons/{address}/transactions`. */
@Controller('v1/jettons/:address/transactions')
export class TransactionsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    private readonly clock: Clock,
    private readonly model: ReadModel,
    private readonly store: HistoryStore,
    private readonly addressBook: AddressBookWriter,
    private readonly assets: KnownAssets,
    private readonly cursors: PlaceCursors,
  ) {}

  @Get()
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { model, store, addressBook, assets, cursors } = this;
    const checkCursor = (cursor: string) => cursors.check(cursor);
    const context = { ...contextOf(this.settings, request), checkCursor };
    const { path, values } = readRequest(getJettonTransactions, requestInputOf(request), context);
    const { limit, cursor, type, who = '', hash = '', counterpart = '', exchangeId = '' } = values;
    const filters = {
      jetton: path.address,
      side: type === undefined ? '' : type === 'TT_BUY' ? 'buy' : 'sell',
      who,
      hash,
      exchangeId,
      counterpart: assets.unified(counterpart),
      from: withinHistory(values.timeFrom ?? 0),
      to: withinHistory(values.timeTo ?? Number.POSITIVE_INFINITY),
    } as const;
    const after = cursor === undefined ? undefined : placeOf(cursors.read(['transactions', filters], cursor));
    const asOf = instantOf(model);
    const record = knownJetton(model, path.address);
    const { rows, next } = await listTransactions(store, { ...filters, limit, after });
    const asset = { decimals: record.decimals, decimalsOf: (one: string) => assets.decimalsOf(one), addressBook };
    const texts = rows.map((row) => transactionText(row, asset));
    const end =
      next === undefined
        ? ''
        : `,"next":"${cursors.write(['transactions', filters], [next.time, next.event, next.side])}"`;
    const body = Buffer.from(`{"transactions":[${texts.join(',')}]${end}}`);
    sendBytes(request, reply, { body, asOf }, this.clock.now());
  }
}

function placeOf([time, event, side]: readonly (string | number)[]): Place {
  return { time: Number(time), event: String(event), side: String(side) };
}
