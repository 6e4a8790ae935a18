import type { Amount } from './change.js';

/** What a chart preview shows: places in an image of 320 × 120, and what tells it from others. */
export interface Preview {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly tone: 'rising' | 'falling' | 'flat';
  readonly color: string;
  readonly title: string;
}

export interface PreviewPoint {
  /** Start of the step, Unix seconds. */
  readonly time: number;
  readonly value: Amount;
}

const [width, height, margin] = [320, 120, 8];
const decimal = ({ value, decimals }: Amount) => Number(value) / 10 ** decimals;

/** Where the points of a preview lie, oldest first: time from left to right, the lowest price below. */
export function previewOf(
  points: readonly PreviewPoint[],
  { from, to, color, title }: { from: number; to: number; color: string; title: string },
): Preview {
  const prices = points.map(({ value }) => decimal(value));
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const x = (time: number) => margin + ((time - from) / (to - from)) * (width - 2 * margin);
  const y = (price: number) =>
    highest === lowest ? height / 2 : height - margin - ((price - lowest) / (highest - lowest)) * (height - 2 * margin);
  const places = points.map(({ time, value }) => [x(time), y(decimal(value))] as const);
  const [first = 0, last = 0] = [prices[0], prices.at(-1)];
  const only = places.length === 1 ? places[0] : undefined;
  return {
    // A single point is a level line through the whole image.
    points: only === undefined ? places : [[margin, only[1]] as const, [width - margin, only[1]] as const],
    tone: last > first ? 'rising' : last < first ? 'falling' : 'flat',
    color,
    title,
  };
}
