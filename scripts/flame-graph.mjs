// node scripts/flame-graph.mjs profile.cpuprofile graph.svg: draws what `node --cpu-prof` or an inspector wrote. A box is a
// function, as wide as the time in it and in what it called; what called it stands below. Time without work is left out.
import { readFileSync, writeFileSync } from 'node:fs';

const [input, output] = process.argv.slice(2);
if (output === undefined) throw new Error('node scripts/flame-graph.mjs <profile.cpuprofile> <graph.svg>');

const width = 1200;
const rowHeight = 16;
const leastShare = 0.002;
const charWidth = 6.2;
const idle = new Set(['(idle)', '(program)']);

const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(input, 'utf8'));
const own = new Map();
samples.forEach((id, index) => own.set(id, (own.get(id) ?? 0) + timeDeltas[index]));
const byId = new Map(nodes.map((node) => [node.id, node]));

const placeOf = ({ url, lineNumber }) => {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(apps|packages|benchmarks)\//, '$1/');
  return file === '' ? '' : ` ${file}:${lineNumber + 1}`;
};

/** The same function called from the same place, whatever node of the profile it is. */
function merge(into, id) {
  const { callFrame, children = [] } = byId.get(id);
  if (idle.has(callFrame.functionName)) return 0;
  const name = `${callFrame.functionName || '(anonymous)'}${placeOf(callFrame)}`;
  const box = into.get(name) ?? { time: 0, above: new Map() };
  into.set(name, box);
  const time = children.reduce((sum, child) => sum + merge(box.above, child), own.get(id) ?? 0);
  box.time += time;
  return time;
}

const bottom = new Map();
const total = merge(bottom, nodes[0].id);
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const boxes = [];
let deepest = 0;

function place(boxesOf, left, depth) {
  let x = left;
  for (const [name, { time, above }] of [...boxesOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const share = time / total;
    if (share >= leastShare) {
      deepest = Math.max(deepest, depth);
      boxes.push({ name, x, w: share * width, depth, time });
      place(above, x, depth + 1);
    }
    x += share * width;
  }
}
place(bottom, 0, 0);

const height = (deepest + 2) * rowHeight;
const hue = (name) => (name.includes(' apps/') || name.includes(' packages/') ? 205 : name.includes('node:') ? 35 : 15);
const shown = boxes.map(({ name, x, w, depth, time }) => {
  const y = height - (depth + 1) * rowHeight;
  const letters = Math.floor(w / charWidth);
  const label =
    letters < 3 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escape(name.slice(0, letters))}</text>`;
  const title = `${name}: ${(time / 1000).toFixed(0)} ms, ${((100 * time) / total).toFixed(1)} %`;
  return `<g><title>${escape(title)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${w.toFixed(1)}" height="15" fill="hsl(${hue(name)} 70% ${72 - (depth % 3) * 5}%)"/>${label}</g>`;
});
writeFileSync(
  output,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="monospace" font-size="10">\n${shown.join('\n')}\n</svg>\n`,
);
console.log(`${output}: ${(total / 1000).toFixed(0)} ms of work`);
