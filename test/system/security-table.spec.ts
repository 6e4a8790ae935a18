import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { missingTests } from './src/support/named-tests.js';

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
    expect(missingTests(root, rows)).toEqual([]);
  });
});
