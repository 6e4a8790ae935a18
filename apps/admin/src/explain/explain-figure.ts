import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { InputStatus } from '@jetton-analytics/common';
import { formatInstant, type Span, stepOf, type WindowA, windowEdges, windowSeconds } from '@jetton-analytics/figures';
import { AdminError } from '../admin-error.js';
import { bucketColumns, storedBuckets, touchedSince, tradesPositions } from './buckets.query.js';
import { type CheckedBucket, ExpectedBuckets, isFault } from './check-buckets.js';
import { legRanges } from './leg-ranges.js';
import { everSeen, type LegRow, legsBetween, legsPerDay } from './legs.query.js';
import {
  type FigurePair,
  isPriceMetric,
  type Metric,
  priceFigure,
  type PriceMetric,
  sameFigure,
  summedFigure,
  type SummedMetric,
} from './metrics.js';
import { type ExplainedPrice, explainPrice, type PriceCurrency } from './naive-price.js';
import { NaiveSums, plainText } from './naive-sums.js';
import type { PublishedWindow } from './published.query.js';
import { type CheckedPoint, type PriceRules, readPoints } from './read-points.js';
import { type Published, readPublished } from './read-published.js';

export interface ExplainOptions extends PriceRules {
  readonly jetton: string;
  readonly window: WindowA;
  readonly metrics: readonly Metric[];
  /** T, Unix seconds; undefined: of the newest snapshot. */
  readonly at: number | undefined;
  readonly decimals: number;
  /** Most legs that are given back, the newest ones. */
  readonly legsMax: number;
  readonly tradesTopic: string;
}

interface ExplainedFigure {
  readonly metric: Metric;
  readonly recomputed: FigurePair;
  readonly published: FigurePair | null;
  readonly agrees: boolean | null;
}

/** `agrees`; `differs`; `outdated`: it differs, and the ledger has got legs since; `notPublished`: nothing to compare with. */
export type Verdict = 'agrees' | 'differs' | 'outdated' | 'notPublished';

export interface Explanation {
  readonly published: Published;
  readonly current: Span;
  readonly previous: Span;
  readonly figures: readonly ExplainedFigure[];
  readonly prices: readonly (ExplainedPrice & { readonly buckets: readonly CheckedPoint[] })[];
  readonly buckets: readonly CheckedBucket[];
  /** Legs in both halves, retracted ones included. */
  readonly legCount: number;
  /** Oldest first. */
  readonly legs: readonly LegRow[];
  /** Buckets that may have changed after the snapshot; null: not known. */
  readonly changedSince: string | null;
  readonly verdict: Verdict;
}

const minuteSeconds = 60;

interface WindowLegs {
  readonly current: NaiveSums;
  readonly previous: NaiveSums;
  readonly buckets: readonly CheckedBucket[];
  readonly legCount: number;
  readonly legs: readonly LegRow[];
}

/** Reads the legs of both halves, some days at a time, and whole minutes around them, for the versions of their buckets. */
async function readWindow(
  reader: ClickHouseReader,
  { jetton, legsMax }: ExplainOptions,
  { current, previous }: { current: Span; previous: Span },
): Promise<WindowLegs> {
  const from = previous.from - (previous.from % minuteSeconds);
  const to = Math.ceil(current.to / minuteSeconds) * minuteSeconds;
  const sums = { current: new NaiveSums(), previous: new NaiveSums() };
  const expected = new ExpectedBuckets();
  let legCount = 0;
  let legs: LegRow[] = [];
  const perDay = await reader.query(legsPerDay, { jetton, from, to });
  for (const range of legRanges(perDay, { from, to })) {
    for (const leg of await reader.query(legsBetween, { jetton, ...range })) {
      expected.add(leg);
      const time = leg.event_time_s;
      if (time < previous.from || time >= current.to) continue;
      sums[time >= current.from ? 'current' : 'previous'].add(leg);
      legCount += 1;
      legs.push(leg);
    }
    if (legs.length > legsMax) legs = legs.slice(legs.length - legsMax);
  }
  const range = { jetton, from, to };
  const [minutes, hours, days] = await Promise.all([
    reader.query(storedBuckets.minute, range),
    reader.query(storedBuckets.hour, range),
    reader.query(storedBuckets.day, range),
  ]);
  const buckets = [
    ...expected.check('minute', minutes, minutes, range),
    ...expected.check('hour', hours, minutes, range),
    ...expected.check('day', days, minutes, range),
  ];
  return { ...sums, buckets, legCount, legs };
}

/** The sums of one half of a published window, in the order of `bucketColumns`. */
const publishedSums = (window: PublishedWindow, half: 'current' | 'previous'): string[] =>
  bucketColumns.map((column) => plainText(window[`${column}_${half}`]));

function figureOf(metric: Metric, recomputed: FigurePair, published: PublishedWindow | undefined): ExplainedFigure {
  if (published === undefined) return { metric, recomputed, published: null, agrees: null };
  const other = isPriceMetric(metric)
    ? publishedPrice(metric, published)
    : summedFigure(metric, publishedSums(published, 'current'), publishedSums(published, 'previous'));
  return { metric, recomputed, published: other, agrees: sameFigure(recomputed, other) };
}

const publishedPrice = (metric: PriceMetric, window: PublishedWindow): FigurePair =>
  metric === 'priceChange.ton'
    ? priceFigure(window.price_ton_current, window.price_ton_previous)
    : priceFigure(window.price_usd_current, window.price_usd_previous);

/** How many buckets of the jetton may have changed since the snapshot; undefined: the leader has not told where it is. */
async function changesSince(
  reader: ClickHouseReader,
  { jetton, tradesTopic }: ExplainOptions,
  { marker, calculatedAt }: Published,
): Promise<bigint | undefined> {
  const [row] = await reader.query(tradesPositions, { topic: tradesTopic });
  if (row === undefined || marker === undefined) return undefined;
  const { partitions } = InputStatus.parse(JSON.parse(row.status));
  if (partitions.length === 0) return undefined;
  // The snapshot tells the sum of its positions alone; each is at most the present one, so none is behind by more than
  // all are together.
  const positions = partitions.map(({ position }) => BigInt(position));
  const ahead = positions.reduce((sum, position) => sum + position, 0n) - BigInt(marker.position);
  const offsets = positions.map((position) => (position > ahead ? position - ahead : 0n));
  const upTo = calculatedAt;
  const [found] = await reader.query(touchedSince, {
    jetton,
    upTo,
    partitions: partitions.map(({ partition }) => BigInt(partition)),
    offsets,
  });
  return found?.touched;
}

async function explainOnce(reader: ClickHouseReader, options: ExplainOptions): Promise<Explanation> {
  const { jetton, window, metrics, at, decimals } = options;
  const published = await readPublished(reader, { jetton, window, step: stepOf[window], at });
  const edges = windowEdges(published.calculatedAt, windowSeconds[window]);
  const read = await readWindow(reader, options, edges);
  const instants = { current: edges.current.to, previous: edges.previous.to };
  const points = {
    current: await readPoints(reader, jetton, instants.current, options),
    previous: await readPoints(reader, jetton, instants.previous, options),
  };
  const priceAt = (currency: PriceCurrency, half: 'current' | 'previous') => ({
    ...explainPrice(currency, instants[half], points[half][currency], decimals),
    buckets: points[half][currency],
  });
  const sums = { current: read.current.texts, previous: read.previous.texts };
  const prices: Explanation['prices'][number][] = [];
  const figures = metrics.map((metric) => {
    if (!isPriceMetric(metric)) {
      return figureOf(
        metric,
        summedFigure(metric satisfies SummedMetric, sums.current, sums.previous),
        published.figures,
      );
    }
    const currency = metric === 'priceChange.ton' ? 'ton' : 'usd';
    const [now, before] = [priceAt(currency, 'current'), priceAt(currency, 'previous')];
    prices.push(now, before);
    return figureOf(metric, priceFigure(now.price, before.price), published.figures);
  });
  const { buckets, legCount, legs } = read;
  const isOff =
    figures.some(({ agrees }) => agrees === false) ||
    buckets.some(isFault) ||
    prices.some((price) => price.buckets.some(({ bucket }) => bucket !== null && bucket !== 'ok'));
  const changed = isOff ? await changesSince(reader, options, published) : 0n;
  const verdict = isOff
    ? (changed ?? 0n) > 0n
      ? 'outdated'
      : 'differs'
    : published.figures === undefined
      ? 'notPublished'
      : 'agrees';
  const changedSince = changed?.toString() ?? null;
  return { published, ...edges, figures, prices, buckets, legCount, legs, changedSince, verdict };
}

/**
 * Recomputes a window's figures from the legs and compares them, and the buckets between, with what is stored. While the
 * market moves, the ledger may get ahead of the snapshot for a moment: then it looks again, as often as `again` resolves
 * to true.
 * @throws AdminError where nothing is known of the jetton
 */
export async function explainFigure(
  reader: ClickHouseReader,
  options: ExplainOptions,
  again: () => Promise<boolean>,
): Promise<Explanation> {
  if ((await reader.query(everSeen, { jetton: options.jetton })).length === 0) {
    throw new AdminError('refused', `no trade of ${options.jetton} was ever seen`);
  }
  for (;;) {
    const explanation = await explainOnce(reader, options);
    const isSettled = explanation.verdict === 'agrees' || explanation.verdict === 'notPublished';
    if (isSettled || !(await again())) return explanation;
  }
}

/** The half-open span as text. */
export const spanText = ({ from, to }: Span) => ({ from: formatInstant(from), to: formatInstant(to) });
