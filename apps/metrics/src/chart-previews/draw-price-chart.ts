import type { PreviewColor } from '@jetton-analytics/common';
import { scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';

/** A point to draw: Unix seconds, and the price as a float, good enough for pixels. */
export interface DrawnPoint {
  readonly time: number;
  readonly price: number;
}

const width = 320;
const height = 120;
const margin = 8;

const palettes = {
  dark: { background: '#14161b', rising: '#35c77f', falling: '#f2596b', flat: '#8b93a7' },
  light: { background: '#ffffff', rising: '#0f9d58', falling: '#d93f4c', flat: '#6b7280' },
} as const satisfies Record<PreviewColor, object>;

const rounded = (value: number): number => Math.round(value * 100) / 100;

function toneOf(points: readonly DrawnPoint[]): 'rising' | 'falling' | 'flat' {
  const first = points[0]?.price ?? 0;
  const last = points.at(-1)?.price ?? 0;
  if (last === first) return 'flat';
  return last > first ? 'rising' : 'falling';
}

/**
 * A small chart as an SVG image: the points in order of time over [from, to] (Unix seconds), oldest first. One point is
 * drawn as a level line, none as an empty chart. The text of `title` is for readers of the image.
 */
export function drawPriceChart(
  points: readonly DrawnPoint[],
  { from, to, color, title }: { from: number; to: number; color: PreviewColor; title: string },
): string {
  const palette = palettes[color];
  const x = scaleLinear([from, to], [margin, width - margin]);
  const prices = points.map(({ price }) => price);
  const lowest = Math.min(...prices);
  const highest = Math.max(...prices);
  // A flat line lies in the middle.
  const y = scaleLinear(lowest === highest ? [lowest - 1, highest + 1] : [lowest, highest], [height - margin, margin]);
  const only = points[0];
  const drawn =
    points.length === 1 && only !== undefined
      ? [
          { ...only, time: from },
          { ...only, time: to },
        ]
      : points;
  const path = line<DrawnPoint>(
    ({ time }) => rounded(x(time)),
    ({ price }) => rounded(y(price)),
  ).curve(curveMonotoneX);
  const filled = area<DrawnPoint>(
    ({ time }) => rounded(x(time)),
    height - margin,
    ({ price }) => rounded(y(price)),
  ).curve(curveMonotoneX);
  const stroke = palette[toneOf(points)];
  const shapes =
    drawn.length === 0
      ? ''
      : `<path d="${filled(drawn) ?? ''}" fill="${stroke}" fill-opacity="0.12"/>` +
        `<path d="${path(drawn) ?? ''}" fill="none" stroke="${stroke}" stroke-width="2" stroke-linejoin="round"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" rx="8" fill="${palette.background}"/>${shapes}</svg>`
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Names are written by strangers: nothing in them is markup, and nothing XML forbids remains. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
