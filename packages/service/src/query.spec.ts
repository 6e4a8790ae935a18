import { describe, expect, it } from '@jest/globals';
import { readQuery, unknownParameters } from './query.js';

describe('readQuery', () => {
  it('decodes names and values, keeps repeats and order, reads a plus as a space', () => {
    expect(readQuery('/x?a=1&b=%3A&a=x+y&c&=v&&').parameters).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: ':' },
      { name: 'a', value: 'x y' },
      { name: 'c', value: '' },
      { name: '', value: 'v' },
    ]);
    expect(readQuery('/x')).toEqual({ parameters: [], violations: [] });
  });

  it('names the parameter whose percent-encoding is broken', () => {
    expect(readQuery('/x?limit=%zz&%=1').violations).toMatchObject([
      { field: 'limit', reason: 'MALFORMED' },
      { field: '%', reason: 'MALFORMED' },
    ]);
  });
});

const unknown = (url: string, known: string[]) => unknownParameters(readQuery(url).parameters, known);

describe('unknownParameters', () => {
  it('names each unknown parameter once and suggests the nearest known one', () => {
    expect(unknown('/x?limt=1&limt=2&zzzzzzzz=1&limit=3', ['limit', 'cursor'])).toEqual([
      { field: 'limt', reason: 'UNKNOWN_FIELD', message: 'unknown parameter, did you mean limit?' },
      { field: 'zzzzzzzz', reason: 'UNKNOWN_FIELD', message: 'unknown parameter' },
    ]);
  });

  it('ignores cache busters', () => {
    expect(unknown('/x?_=1&_ts=2', [])).toEqual([]);
  });
});
