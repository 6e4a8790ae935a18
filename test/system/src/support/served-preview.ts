import type { Preview } from '../oracle/preview.js';

const backgrounds: Readonly<Record<string, string>> = { '#14161b': 'dark', '#ffffff': 'light' };
const strokes: Readonly<Record<string, Preview['tone']>> = {
  '#35c77f': 'rising',
  '#0f9d58': 'rising',
  '#f2596b': 'falling',
  '#d93f4c': 'falling',
  '#8b93a7': 'flat',
  '#6b7280': 'flat',
};
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string) => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);

/** Where the line of a path goes through: the place it begins at, and the end of each curve. */
function placesOf(path: string): (readonly [number, number])[] {
  const commands = path.match(/[MCL][^MCLZ]*/g) ?? [];
  return commands.map((command) => {
    const numbers = command.slice(1).split(/[ ,]/).map(Number);
    return [numbers.at(-2) ?? Number.NaN, numbers.at(-1) ?? Number.NaN] as const;
  });
}

/** What a served image shows; undefined where it is no such image at all. */
export function servedPreview(svg: string): Preview | undefined {
  const [, title] = /^<svg [^>]*width="320" height="120"[^>]*><title>([^<]*)<\/title>/.exec(svg) ?? [];
  const [, background = ''] = /<rect [^>]*fill="(#\w+)"/.exec(svg) ?? [];
  const [, line = '', stroke = ''] = /<path d="([^"]*)" fill="none" stroke="(#\w+)"/.exec(svg) ?? [];
  const color = backgrounds[background];
  if (title === undefined || color === undefined || !svg.endsWith('</svg>')) return undefined;
  return { points: placesOf(line), tone: strokes[stroke] ?? 'flat', color, title: unescaped(title) };
}

const hairMax = 0.02;

/** Where two previews differ, by more than the eye can see; [] where they do not. */
export function previewDifferences(served: Preview | undefined, expected: Preview): string[] {
  if (served === undefined) return ['no image'];
  const found: string[] = [];
  for (const name of ['tone', 'color', 'title'] as const) {
    if (served[name] !== expected[name]) found.push(`${name}: served ${served[name]}, expected ${expected[name]}`);
  }
  if (served.points.length !== expected.points.length) {
    return [...found, `served ${served.points.length} points, expected ${expected.points.length}`];
  }
  const far = served.points.findIndex(([x, y], n) => {
    const [a, b] = expected.points[n] ?? [Number.NaN, Number.NaN];
    return !(Math.abs(x - a) <= hairMax && Math.abs(y - b) <= hairMax);
  });
  if (far >= 0)
    found.push(`point ${far}: served ${String(served.points[far])}, expected ${String(expected.points[far])}`);
  return found;
}
