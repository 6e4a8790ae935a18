import { beforeEach, describe, expect, it } from '@jest/globals';
import { Positions } from './positions.js';

let positions: Positions;
beforeEach(() => {
  positions = new Positions();
  positions.replace([{ topic: 'trades', partition: 2, nextOffset: '100' }]);
});

describe('Positions', () => {
  it('names the next offset after what is durable, beyond the range of a double', () => {
    positions.advance('trades', 2, '9007199254740993');
    expect(positions.list()).toEqual([{ topic: 'trades', partition: 2, nextOffset: '9007199254740994' }]);
  });

  it('finds no gap where the expected offset comes, and none where nothing was expected', () => {
    expect(positions.arrived('trades', 2, '100', '150')).toEqual({ from: 100n });
    expect(positions.arrived('trades', 0, '7', '9')).toEqual({ from: 7n });
  });

  it('names a gap from the offset expected to the one that came, once', () => {
    const gap = { topic: 'trades', partition: 2, from: '100', to: '120', rewound: false };
    expect(positions.arrived('trades', 2, '120', '150')).toEqual({ from: 120n, gap });
    expect(positions.arrived('trades', 2, '120', '150')).toEqual({ from: 120n });
  });

  it('takes what is durable already for no gap: the log reaches further', () => {
    expect(positions.arrived('trades', 2, '90', '150')).toEqual({ from: 100n });
    expect(positions.list()).toEqual([{ topic: 'trades', partition: 2, nextOffset: '100' }]);
  });

  it('names a log that was cut and starts over with it', () => {
    const gap = { topic: 'trades', partition: 2, from: '100', to: '0', rewound: true };
    expect(positions.arrived('trades', 2, '0', '10')).toEqual({ from: 0n, gap });
  });
});
