import { describe, expect, it } from '@jest/globals';
import { cleanText } from './clean-text.js';

describe('a stranger’s text', () => {
  it('loses C0, DEL, C1, and the characters that turn the direction', () => {
    const hostile = '\u0000\u001f\u007f\u0080\u009f\u200e\u200f\u202a\u202e\u2066\u2069';
    expect(cleanText(Array.from(hostile).join('x'), 100)).toBe('x'.repeat(10));
    expect(cleanText('\u200d\u2029\u2065\u206a\u00a0.', 100)).toBe('\u200d\u2029\u2065\u206a\u00a0.');
  });

  it('is cut in code points, never inside one, before it is trimmed', () => {
    expect(cleanText('💎'.repeat(5), 3)).toBe('💎💎💎');
    expect(cleanText('   a', 3)).toBe('');
    expect(cleanText('a  b', 3)).toBe('a');
    expect(cleanText('\u202eab', 2)).toBe('ab');
  });

  it('has no lone surrogate afterwards', () => {
    expect(cleanText('a\ud800b\udc00', 10)).toBe('a\ufffdb\ufffd');
    expect(cleanText('\ud800'.repeat(10), 3)).toBe('\ufffd'.repeat(3));
  });

  it('keeps markup as text: nothing in it is interpreted', () => {
    expect(cleanText('<script>alert(1)</script>', 100)).toBe('<script>alert(1)</script>');
  });

  it('of a megabyte is cleaned in time that grows with its length', () => {
    const startMs = performance.now();
    for (const unit of ['\u0000', 'a\u202e', ' ', '💎']) {
      expect(Array.from(cleanText(unit.repeat(2 ** 20 / unit.length), 256)).length).toBeLessThanOrEqual(256);
    }
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
});
