import { describe, expect, it } from '@jest/globals';
import { createAssets, feedSettings } from '@jetton-analytics/feed';
import { z } from 'zod';
import { KnownFacts } from './known-facts.js';

const assets = createAssets(z.object(feedSettings).parse({}));
const [stable = ''] = assets.stables;
const [lsd = ''] = assets.lsds;

describe('the decimals of a jetton', () => {
  it('are those of the settings, else those of the metadata, else 9', () => {
    const facts = new KnownFacts(assets);
    for (const asset of [stable, lsd, 'ton', '0:a']) facts.setDecimals(asset, 3);
    const view = facts.view();
    expect([stable, lsd, 'ton', '0:a', '0:b'].map((asset) => view.decimalsOf(asset))).toEqual([6, 9, 9, 3, 9]);
  });

  it('stand still until the view moves on, which names those that differ now', () => {
    const facts = new KnownFacts(assets);
    const view = facts.view();
    facts.setDecimals('0:a', 6);
    facts.setDecimals('0:b', 9); // what was taken for it before
    facts.setDecimals(stable, 3); // the settings say otherwise
    expect(view.decimalsOf('0:a')).toBe(9);
    expect([...view.advance().assets]).toEqual(['0:a']);
    expect(view.decimalsOf('0:a')).toBe(6);
    facts.setDecimals('0:a', 7);
    facts.setDecimals('0:a', undefined);
    expect([...view.advance().assets]).toEqual(['0:a']);
    expect(view.decimalsOf('0:a')).toBe(9);
    expect(view.advance().assets.size).toBe(0);
  });
});

describe('the counterpart of a pool', () => {
  it('is the side of its state that is not the jetton, and unknown where the state does not name both', () => {
    const facts = new KnownFacts(assets);
    facts.setSides('0:p', { left: '0:a', right: 'ton' });
    facts.setSides('0:q', { left: '', right: '0:a' });
    const view = facts.view();
    expect(view.counterpartOf('0:a', '0:p')).toBe('ton');
    expect(view.counterpartOf('0:b', '0:p')).toBeUndefined();
    expect(view.counterpartOf('0:a', '0:q')).toBeUndefined();
    expect(view.counterpartOf('0:a', '0:r')).toBeUndefined();
  });

  it('makes a market of each jetton that the state names, native being none', () => {
    const facts = new KnownFacts(assets);
    facts.setSides('0:p', { left: '0:a', right: 'ton' });
    facts.setSides('0:q', { left: stable, right: '0:a' });
    facts.setSides('0:r', { left: '', right: '' });
    const view = facts.view();
    expect([...view.pools()].map((pool) => view.marketsOf(pool).map(({ jetton }) => jetton))).toEqual([
      ['0:a'],
      [stable, '0:a'],
      [],
    ]);
  });

  it('follows the state in each view by itself, and in a released one no more', () => {
    const facts = new KnownFacts(assets);
    facts.setSides('0:p', { left: '0:a', right: 'ton' });
    const [one, two, released] = [facts.view(), facts.view(), facts.view()];
    released.release();
    facts.setSides('0:p', { left: '0:a', right: '0:b' });
    expect([...one.advance().pools]).toEqual(['0:p']);
    expect([one, two].map((view) => view.counterpartOf('0:a', '0:p'))).toEqual(['0:b', 'ton']);
    expect(released.advance().pools.size).toBe(0);
    facts.setSides('0:p', { left: '0:a', right: '0:b' });
    expect(one.advance().pools.size).toBe(0);
  });
});
