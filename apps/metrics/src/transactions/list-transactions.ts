import { DomainError } from '@jetton-analytics/service';
import type { HistoryStore } from '../history/history-store.js';
import { jettonTransactions, tradedMinutes, type TransactionRow } from './transactions.query.js';

/** A place in the order of transactions: the last one of the page before. */
export interface Place {
  /** Unix seconds. */
  readonly time: number;
  readonly event: string;
  readonly side: string;
}

export interface TransactionsRequest {
  /** Raw address. */
  readonly jetton: string;
  readonly limit: number;
  readonly after: Place | undefined;
  readonly side: '' | 'buy' | 'sell';
  /** Raw address, '' for any; the same for the other filters. */
  readonly who: string;
  readonly hash: string;
  readonly counterpart: string;
  readonly exchangeId: string;
  /** Unix seconds, `to` excluded. */
  readonly from: number;
  readonly to: number;
}

export interface TransactionsPage {
  readonly rows: readonly TransactionRow[];
  /** Undefined: there is no further page. */
  readonly next: Place | undefined;
}

const minutesFirst = 256;
const minutesGrowth = 16;
// Some 450 days without a gap: the last round takes what is left of any realistic history.
const minutesMax = 65_536;
const roundsMax = 40;

/** Beyond every place. */
const start: Place = { time: 2 ** 32 - 1, event: '', side: '' };

const placeOf = ({ time_s, event, side_name }: TransactionRow): Place => ({ time: time_s, event, side: side_name });

/**
 * A page of a jetton's trades, newest first. It walks back through the minutes in which the jetton was traded, in steps
 * that grow, so that the newest page of a busy jetton reads a few minutes and a rare filter all of them. Throws
 * DomainError where the store is away, busy or too slow.
 */
export async function listTransactions(store: HistoryStore, request: TransactionsRequest): Promise<TransactionsPage> {
  const { jetton, limit, from, side, who, hash, counterpart, exchangeId } = request;
  const after = request.after ?? start;
  const rows: TransactionRow[] = [];
  let to = request.after === undefined ? request.to : Math.min(request.to, request.after.time + 1);
  let minuteCount = minutesFirst;
  for (let round = 0; round < roundsMax; round += 1) {
    const found = await store.query(tradedMinutes, { jetton, from: from - (from % 60), to, minutesMax: minuteCount });
    const oldest = found.at(-1)?.minute_s;
    if (oldest === undefined) return { rows, next: undefined };
    const page = await store.query(jettonTransactions, {
      minutes: found.map(({ minute_s }) => minute_s),
      jetton,
      from,
      to: request.to,
      side,
      who,
      hash,
      counterpart,
      exchangeId,
      afterTime: after.time,
      afterEvent: after.event,
      afterSide: after.side,
      // One more tells whether there is a further page.
      rowsMax: limit + 1 - rows.length,
    });
    rows.push(...page);
    const last = rows[limit - 1];
    if (rows.length > limit && last !== undefined) return { rows: rows.slice(0, limit), next: placeOf(last) };
    if (found.length < minuteCount) return { rows, next: undefined };
    to = oldest;
    minuteCount = Math.min(minutesMax, minuteCount * minutesGrowth);
  }
  throw new DomainError('deadlineExceeded', 'too much history to search; narrow the time with timeFrom and timeTo');
}
