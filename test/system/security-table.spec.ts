import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lines = readFileSync(`${root}docs/security.md`, 'utf8').split('\n');
const rows = lines.flatMap((line) => {
  const match = /^\| (.+?) \| .+? \| `(.+?)` › (.+) \|$/.exec(line);
  if (match === null) return [];
  const [, risk = '', file = '', title = ''] = match;
  return [{ risk, file, title }];
});

describe('the table of risks', () => {
  it('has a test for each of the ten risks of APIs', () => {
    const risks = new Set(rows.map(({ risk }) => /^API(\d+) /.exec(risk)?.[1]));
    expect([...Array(10).keys()].filter((index) => !risks.has(String(index + 1)))).toEqual([]);
  });

  it('names tests that exist', () => {
    const missing = rows.filter(({ file, title }) => {
      if (!existsSync(root + file)) return true;
      const source = readFileSync(root + file, 'utf8');
      return !["'", '`', '"'].some((quote) => source.includes(`${quote}${title}${quote}`));
    });
    expect(missing).toEqual([]);
  });
});
