import { type AmountText, decimalText } from '@jetton-analytics/figures';
import { table } from '../table.js';
import { isFault } from './check-buckets.js';
import type { Explanation } from './explain-figure.js';
import type { LegRow } from './legs.query.js';
import type { FigurePair } from './metrics.js';

const amountText = (amount: string | AmountText): string =>
  typeof amount === 'string' ? amount : decimalText(BigInt(amount.value), amount.decimals);
const changeText = ({ changePercent, changeStatus }: FigurePair) => changeStatus ?? `${changePercent} %`;
const short = (text: string | null): string =>
  text === null || text === '' ? '-' : text.length > 20 ? `${text.slice(0, 10)}…${text.slice(-6)}` : text;

export function figureLines({ figures }: Explanation): string[] {
  const rows = figures.map(({ metric, recomputed, published, agrees }) => [
    metric,
    amountText(recomputed.current),
    amountText(recomputed.previous),
    changeText(recomputed),
    published === null ? '-' : amountText(published.current),
    published === null ? '-' : amountText(published.previous),
    agrees === null ? '-' : agrees ? 'yes' : 'NO',
  ]);
  return table(['metric', 'current', 'previous', 'change', 'published', 'previous', 'agrees'], rows);
}

/** The prices with the points they rest on, the heaviest first. */
export function priceLines({ prices }: Explanation, pointsMax: number): string[] {
  return prices.flatMap(({ currency, at, price, points }) => {
    const heaviest = points.toSorted((a, b) => (BigInt(a.weight) > BigInt(b.weight) ? -1 : 1)).slice(0, pointsMax);
    const total = points.reduce((sum, point) => sum + BigInt(point.weight), 0n);
    const rows = heaviest.map((point) => [
      point.minute,
      short(point.pool),
      point.legs === null ? 'kept' : String(point.legs),
      point.volume,
      point.amount,
      amountText(point.price),
      `${decimalText((BigInt(point.weight) * 10_000n) / (total === 0n ? 1n : total), 2)} %`,
      point.isMedian ? 'median' : point.isCounted ? 'counted' : 'left out',
    ]);
    const title = `price in ${currency} at ${at}: ${price.value === '0' ? 'none' : amountText(price)}`;
    const more = points.length > heaviest.length ? [`… and ${points.length - heaviest.length} lighter points`] : [];
    const head = ['minute', 'pool', 'legs', `V (${currency})`, 'A (raw)', 'V/A', 'weight', ''];
    return ['', title, ...(rows.length === 0 ? [] : table(head, rows)), ...more];
  });
}

/** How many buckets hold what their legs say, and the newest of those that do not. */
export function bucketLines({ buckets }: Explanation, bucketsMax: number): string[] {
  const grains = (['minute', 'hour', 'day'] as const).map((grain) => {
    const of = buckets.filter((bucket) => bucket.grain === grain);
    const count = (state: string) => String(of.filter((bucket) => bucket.state === state).length);
    return [grain, String(of.length), count('ok'), count('missing'), count('stale'), count('wrong')];
  });
  const newest = buckets.filter(({ grain }) => grain === 'minute').slice(-Math.min(3, bucketsMax));
  const shown = [...newest, ...buckets.filter(isFault).slice(-bucketsMax)];
  const rows = shown.map((bucket) => [
    bucket.grain,
    bucket.start,
    String(bucket.legs),
    bucket.version ?? '-',
    bucket.expectedVersion,
    bucket.state,
  ]);
  return [
    '',
    ...table(['buckets', 'count', 'ok', 'missing', 'stale', 'wrong'], grains),
    '',
    ...(rows.length === 0
      ? []
      : table(['bucket', 'start', 'legs', 'version', 'sum of its legs’ versions', 'state'], rows)),
  ];
}

const legRow = (leg: LegRow, time: string): string[] => [
  time,
  leg.is_trade === 1 ? leg.side : leg.deleted === 1 ? `${leg.side}, retracted` : `${leg.side}, no trade`,
  leg.amount,
  `${leg.counter_amount} ${short(leg.counter_asset)}`,
  leg.volume_usd ?? '-',
  leg.volume_ton ?? '-',
  short(leg.trader),
  short(leg.pool),
  short(leg.event_id),
];

/** The newest legs, newest first. */
export function legLines({ legs, legCount }: Explanation, format: (seconds: number) => string): string[] {
  const rows = legs.toReversed().map((leg) => legRow(leg, format(leg.event_time_s)));
  const head = ['time', 'side', 'amount', 'against', 'usd', 'ton', 'trader', 'pool', 'event'];
  return [
    '',
    `legs in both halves: ${legCount}${legs.length < legCount ? `, the newest ${legs.length}:` : ''}`,
    ...(rows.length === 0 ? [] : table(head, rows)),
  ];
}
