import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { repositoryRoot } from './bench-stack.js';

/** How a figure grows with scale: [scale, figure], both above 0. */
export interface Growth {
  readonly name: string;
  readonly points: readonly (readonly [scale: number, figure: number])[];
}

export interface CurveOptions {
  readonly title: string;
  readonly scale: string;
  readonly figure: string;
}

const [width, height] = [760, 420];
const margin = { top: 44, right: 270, bottom: 52, left: 70 };
const colors = [
  '#1f6feb',
  '#d9480f',
  '#2b8a3e',
  '#862e9c',
  '#c92a2a',
  '#0b7285',
  '#5c940d',
  '#495057',
  '#e8590c',
  '#a61e4d',
  '#087f5b',
  '#845ef7',
];
const rounded = (value: number) => Math.round(value * 10) / 10;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const plain = (value: number) => (value >= 1 ? value.toLocaleString('en-US') : String(Number(value.toPrecision(3))));

function extent(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) - 1e-9)];
}

const decades = (ticks: readonly number[]) =>
  ticks.filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6));

/** Curves over scale as an SVG image, both axes logarithmic: what grows with scale itself rises by 45 degrees a decade. */
function drawGrowth(growths: readonly Growth[], { title, scale, figure }: CurveOptions): string {
  const drawn = growths.map((growth) => ({ ...growth, points: growth.points.filter(([x, y]) => x > 0 && y > 0) }));
  const all = drawn.flatMap(({ points }) => points);
  const x = scaleLog(extent(all.map(([at]) => at)), [margin.left, width - margin.right]);
  const y = scaleLog(extent(all.map(([, value]) => value)), [height - margin.bottom, margin.top]);
  const text = (at: readonly [number, number], content: string, more = '') =>
    `<text x="${rounded(at[0])}" y="${rounded(at[1])}" ${more}>${escaped(content)}</text>`;
  const vertical = decades(x.ticks()).map(
    (tick) =>
      `<path d="M${rounded(x(tick))} ${margin.top}V${height - margin.bottom}" stroke="#dee2e6"/>` +
      text([x(tick), height - margin.bottom + 18], plain(tick), 'text-anchor="middle"'),
  );
  const horizontal = decades(y.ticks()).map(
    (tick) =>
      `<path d="M${margin.left} ${rounded(y(tick))}H${width - margin.right}" stroke="#dee2e6"/>` +
      text([margin.left - 8, y(tick) + 4], plain(tick), 'text-anchor="end"'),
  );
  const path = line<readonly [number, number]>(
    ([at]) => rounded(x(at)),
    ([, value]) => rounded(y(value)),
  );
  const curves = drawn.map(({ name, points }, index) => {
    const color = colors[index % colors.length];
    const dots = points.map(
      ([at, value]) => `<circle cx="${rounded(x(at))}" cy="${rounded(y(value))}" r="3" fill="${color}"/>`,
    );
    const top = margin.top + 10 + index * 20;
    return [
      `<path d="${path([...points]) ?? ''}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...dots,
      `<rect x="${width - margin.right + 16}" y="${top - 9}" width="10" height="10" fill="${color}"/>`,
      text([width - margin.right + 32, top], name),
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#212529">`,
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text([margin.left, 24], title, 'font-size="15"'),
    text([(margin.left + width - margin.right) / 2, height - 12], scale, 'text-anchor="middle"'),
    text([margin.left, margin.top - 6], figure),
    ...vertical,
    ...horizontal,
    ...curves,
    '</svg>\n',
  ].join('\n');
}

/** Writes the curves under docs/reports/curves; one scale alone has none. */
export async function writeGrowth(name: string, growths: readonly Growth[], options: CurveOptions): Promise<void> {
  if (growths.every(({ points }) => points.length < 2)) return;
  const folder = join(repositoryRoot, 'docs', 'reports', 'curves');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.svg`), drawGrowth(growths, options));
}
