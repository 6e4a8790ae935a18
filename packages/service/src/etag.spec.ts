import { describe, expect, it } from '@jest/globals';
import { etagMatches } from './etag.js';

describe('etagMatches', () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', '"b" ,W/"a"', '*', ' "a" '])('%s names "a"', (given) => {
    expect(etagMatches(given, '"a"')).toBe(true);
  });
  it.each(['"b"', 'a', '"A"', '', '"ab"', '"b", W/"c"'])('%s does not', (given) => {
    expect(etagMatches(given, '"a"')).toBe(false);
  });
});
