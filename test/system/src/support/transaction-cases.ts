import { friendly } from '../oracle/friendly.js';
import type { Leg } from '../oracle/legs.js';
import type { WholeMarket } from '../oracle/whole-market.js';
import { timestampOf } from '../oracle/windows.js';

const isWhole = ({ trader, project }: Leg) => trader !== null && project !== null;

/** Every filter of trades as a query, each with the value of a trade in the middle, and which legs it keeps. */
export function transactionFilters({ trades, jettons }: WholeMarket): {
  /** The most traded one. */
  readonly jetton: string;
  readonly filters: Readonly<Record<string, (leg: Leg) => boolean>>;
} {
  const jetton = jettons.toSorted((a, b) => trades.legsOf(b).length - trades.legsOf(a).length)[0] ?? '';
  const legs = trades.legsOf(jetton).toSorted((a, b) => a.eventTime - b.eventTime);
  const middle = legs.slice(Math.floor(legs.length / 2)).find(isWhole) ?? legs.find(isWhole);
  if (middle === undefined) throw new Error('no trade with a trader and a project');
  const { trader, txHashHex, other, project, eventTime } = middle;
  const hash = encodeURIComponent(Buffer.from(txHashHex, 'hex').toString('base64'));
  const filters: Record<string, (leg: Leg) => boolean> = {
    'type=TT_BUY': ({ side }) => side === 'buy',
    'type=TT_SELL': ({ side }) => side === 'sell',
    [`who=${friendly(trader ?? '', 'wallet')}`]: (leg) => leg.trader === trader,
    [`hash=${txHashHex}`]: (leg) => leg.txHashHex === txHashHex,
    [`hash=${hash}`]: (leg) => leg.txHashHex === txHashHex,
    [`counterpart=${other}`]: (leg) => leg.other === other,
    'counterpart=ton': (leg) => leg.other === 'ton',
    [`exchangeId=${project}`]: (leg) => leg.project === project,
    [`timeFrom=${eventTime}`]: (leg) => leg.eventTime >= eventTime,
    [`timeTo=${timestampOf(eventTime)}`]: (leg) => leg.eventTime < eventTime,
    [`type=TT_SELL&timeTo=${eventTime + 1}&exchangeId=${project}`]: (leg) =>
      leg.side === 'sell' && leg.eventTime <= eventTime && leg.project === project,
  };
  return { jetton, filters };
}
