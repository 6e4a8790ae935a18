// Writes the table of values in the chart's README from the comments of values.yaml, or compares it (--check).
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, isScalar, parseDocument } from 'yaml';

const chart = new URL('jetton-analytics/', import.meta.url);
const readmeFile = new URL('README.md', chart);
const [begin, end] = ['<!-- values -->', '<!-- end of values -->'];

const rows = [];
const textOf = (comment) => comment.match(/^ -- (.*)$/ms)?.[1].replaceAll(/\n /g, ' ');

function collect(map, path) {
  for (const [index, { key, value }] of map.items.entries()) {
    // The parser gives the comment over a map's first key to the map itself.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined);
    const name = [...path, key.value].join('.');
    const text = comment === undefined || comment === null ? undefined : textOf(comment);
    if (text !== undefined) rows.push([name, isScalar(value) ? value.value : value.toJSON(), text]);
    else if (isMap(value)) collect(value, [...path, key.value]);
    else throw new Error(`${name} has no description: write a line "# -- …" over it`);
  }
}
collect(parseDocument(readFileSync(new URL('values.yaml', chart), 'utf8')).contents, []);

const cell = (text) => text.replaceAll('|', '\\|');
const table = [
  '| value | default | |',
  '|---|---|---|',
  ...rows.map(([name, value, text]) => `| \`${name}\` | \`${cell(JSON.stringify(value))}\` | ${cell(text)} |`),
].join('\n');

const readme = readFileSync(readmeFile, 'utf8');
const written = `${readme.slice(0, readme.indexOf(begin) + begin.length)}\n${table}\n${readme.slice(readme.indexOf(end))}`;
if (!process.argv.includes('--check')) {
  writeFileSync(readmeFile, written);
} else if (readme !== written) {
  console.error('README.md of the chart differs from values.yaml: run node infra/helm/readme.mjs');
  process.exit(1);
}
