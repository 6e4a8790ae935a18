import { describe, expect, it } from '@jest/globals';
import { fold } from './fold.js';

describe('fold', () => {
  it.each([
    ['Tether USD', 'tether usd'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['σίσυφος', 'σίσυφοσ'],
    ['Straße', 'strasse'],
    ['ﬀ', 'ff'],
    ['ＴＯＮ', 'ton'],
    ['e\u0301', 'é'],
    ['ŉ', 'ʼn'],
  ])('reads %s as %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('is the formula of docs/http-api.md and changes nothing when repeated', () => {
    for (const text of ['İstanbul', 'ı', 'ǅ', 'ΐ', '½', 'Ⅷ', 'ſ', '㎏']) {
      const once = text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
      expect(fold(text)).toBe(once);
      expect(fold(once)).toBe(once);
    }
  });
});
