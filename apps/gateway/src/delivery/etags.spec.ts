import { describe, expect, it } from '@jest/globals';
import { etagOf, isKnown, knownEtag, withoutEncodings } from './etags.js';

describe('entity tags', () => {
  it('differ by encoding', () => {
    expect([etagOf('"a"', undefined), etagOf('"a"', 'br'), etagOf('"a"', 'zstd')]).toEqual([
      '"a"',
      '"a.br"',
      '"a.zstd"',
    ]);
  });

  it('are recognised whatever encoding a client has', () => {
    expect(withoutEncodings('"a.br", W/"b.gzip", "c.x", "d"')).toBe('"a", W/"b", "c.x", "d"');
    expect(withoutEncodings('*')).toBe('*');
  });

  it('of a 304 are those of the form that the client has', () => {
    expect(knownEtag('"x", "a.gzip", "a.br"', '"a"')).toBe('"a.gzip"');
    expect(knownEtag('*', '"a"')).toBe('"a"');
  });

  it('are known in any encoding', () => {
    expect(['"a"', 'W/"a"', '"x", "a.br"', '*'].map((given) => isKnown(given, '"a"'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([undefined, '"b"', 'a', ''].map((given) => isKnown(given, '"a"'))).toEqual([false, false, false, false]);
  });
});
