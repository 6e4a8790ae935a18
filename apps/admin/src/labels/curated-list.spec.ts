import { describe, expect, it } from '@jest/globals';
import { AdminError } from '../admin-error.js';
import { parseCuratedList } from './curated-list.js';

const raw = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';
const friendly = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

const failureOf = (text: string): AdminError => {
  try {
    parseCuratedList(text, 'mainnet');
  } catch (error) {
    if (error instanceof AdminError) return error;
  }
  throw new Error('the list was taken');
};

describe('parseCuratedList', () => {
  it('takes addresses in any form, each once, and ignores all other fields', () => {
    const list = [
      { address: raw.toUpperCase(), name: 'one', decimals: 6 },
      { address: friendly },
      { address: `-1:${'0'.repeat(64)}`, social: [] },
    ];
    expect(parseCuratedList(JSON.stringify(list), 'mainnet')).toEqual({
      entries: 3,
      addresses: [raw, `-1:${'0'.repeat(64)}`],
    });
  });

  it('names every wrong entry by its index and takes none of the list', () => {
    const list = [{ address: raw }, { address: '0:12' }, null, { name: 'no address' }, { address: `${friendly}A` }];
    const { kind, message, details } = failureOf(JSON.stringify(list));
    expect([kind, message]).toEqual(['usage', '4 of 5 entries are wrong, nothing was imported']);
    expect(details.map((line) => line.split(':')[0])).toEqual(['entry 1', 'entry 2', 'entry 3', 'entry 4']);
  });

  it('shows no more than fifty wrong entries and says how many there are', () => {
    const { details } = failureOf(JSON.stringify(Array.from({ length: 120 }, () => ({}))));
    expect(details).toHaveLength(51);
    expect(details.at(-1)).toBe('and 70 more');
  });

  it.each(['', '{', '{"address":"x"}', '"text"', 'null'])('refuses what is no array: %j', (text) => {
    expect(failureOf(text).kind).toBe('usage');
  });
});
