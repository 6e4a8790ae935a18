import { describe, expect, it } from '@jest/globals';
import { assert, boolean, integer, property, string } from 'fast-check';
import { jettonSpans } from './jetton-spans.js';

describe('spans of addresses', () => {
  it('cover every text once, however many there are', () => {
    assert(
      property(integer({ min: 1, max: 300 }), string(), boolean(), (count, text, isAddress) => {
        const jetton = isAddress ? `0:${Buffer.from(text).toString('hex')}` : text;
        const holding = jettonSpans(count).filter(
          ({ fromJetton, beforeJetton }) => jetton >= fromJetton && (beforeJetton === '' || jetton < beforeJetton),
        );
        expect(holding).toHaveLength(1);
      }),
    );
  });
});
