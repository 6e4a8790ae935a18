import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const found = (patterns: readonly string[]) => globSync([...patterns], { cwd: root });

const documents = found(['*.md', 'docs/**/*.md', 'infra/**/*.md', 'packages/*/README.md']);
const sources = found([
  '{apps,packages,benchmarks}/*/{src,test}/**/*.ts',
  'benchmarks/src/*.ts',
  'test/system/**/*.ts',
]);

function headingsOf(file: string): string[] {
  const lines = textOf(file).split('\n');
  return lines.flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
}

/** The fragment that a heading is linked by. */
const fragmentOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Links of a document to files of the project that are not there, or to headings that those do not have. */
function brokenLinks(file: string): string[] {
  const links = [...textOf(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  return links.flatMap(([link, path = '', fragment]) => {
    const target = path === '' ? file : relative(root, join(root, dirname(file), path));
    if (!existsSync(join(root, target))) return [`${file}: ${link}`];
    if (fragment === undefined || !target.endsWith('.md')) return [];
    return headingsOf(target).map(fragmentOf).includes(fragment) ? [] : [`${file}: ${link}`];
  });
}

/** Documents and sections that comments of a file name and that are not there. */
function brokenReferences(file: string): string[] {
  const text = textOf(file).replaceAll(/\n\s*(?:\/\/|\*) /g, ' ');
  return [...text.matchAll(/docs\/[\w/-]+\.md((?:,? (?:and )?"[^"]+")*)/g)].flatMap(([reference, sections = '']) => {
    const document = /^docs\/[\w/-]+\.md/.exec(reference)?.[0] ?? '';
    if (!existsSync(join(root, document))) return [`${file}: ${reference}`];
    const headings = headingsOf(document);
    const named = [...sections.matchAll(/"([^"]+)"/g)].map(([, section = '']) => section);
    return named.every((section) => headings.some((heading) => heading.startsWith(section)))
      ? []
      : [`${file}: ${reference}`];
  });
}

describe('documents', () => {
  it('link to files and headings that exist', () => {
    expect(documents.length).toBeGreaterThan(20);
    expect(documents.flatMap(brokenLinks)).toEqual([]);
  });

  it('are there, with the sections that comments name as the source of a rule', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.flatMap(brokenReferences)).toEqual([]);
  });

  it('are the only ones that comments name', () => {
    const named = sources.flatMap((file) =>
      [...textOf(file).matchAll(/(?<![\w/-])(\w[\w-]*\.md)\b/g)].map(([, document = '']) => `${file}: ${document}`),
    );
    expect(named.filter((one) => !one.includes(': README.md') && !one.includes(': CHANGELOG.md'))).toEqual([]);
  });
});
