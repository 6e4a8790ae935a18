import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Recomputation } from '../oracle/recompute.js';
import { sameInstant } from '../oracle/windows.js';
import { adversarialMarket } from './adversarial-market.js';
import { badValues } from './bad-messages.js';
import { differences } from './compare.js';

const market = adversarialMarket(7, 1_500);
const recomputation = new Recomputation(market.records);

function digest(seed: number): string {
  const hash = createHash('sha256');
  for (const { value, recordMs, partition, key, headers } of adversarialMarket(seed, 200).records) {
    hash.update(value ?? 'tombstone').update(JSON.stringify([recordMs, partition, key, headers]));
  }
  return hash.digest('hex');
}

describe('the adversarial market', () => {
  it('is the same for the same seed', () => {
    expect(digest(7)).toBe(digest(7));
    expect(digest(8)).not.toBe(digest(7));
  });

  it('holds every kind of message: trades, all reasons of badness, all skipped ones', () => {
    expect(recomputation.accepted.length).toBeGreaterThan(1_500);
    expect(recomputation.bad.map(({ reason }) => reason).sort()).toEqual(
      badValues(market.t - 400)
        .map(({ reason }) => reason)
        .sort(),
    );
    const because = new Set(recomputation.skipped.map((skipped) => skipped.because));
    expect([...because].sort()).toEqual(['event_type', 'null_token', 'tombstone']);
    expect(recomputation.eventClock).toBe(market.t);
    expect(recomputation.named().length).toBeGreaterThan(recomputation.jettons.length);
  });

  it('moves most figures, so that comparing them means something', () => {
    const zeros = recomputation.jettons.map((jetton) => {
      const statistics = recomputation.jettonStatistics(jetton, sameInstant(market.t));
      return [statistics?.transactions['hour']?.current, statistics?.priceChange.ton['day']?.changeStatus];
    });
    expect(zeros.filter(([transactions]) => transactions !== '0').length).toBeGreaterThan(15);
    expect(zeros.filter(([, changeStatus]) => changeStatus === undefined).length).toBeGreaterThan(10);
  });

  it('gives the same figures in any order and with every message twice', () => {
    const again = new Recomputation([...market.records].toReversed().concat(market.records));
    const instants = sameInstant(market.t);
    for (const jetton of recomputation.jettons) {
      expect(again.jettonStatistics(jetton, instants)).toEqual(recomputation.jettonStatistics(jetton, instants));
    }
  });
});

describe('differences', () => {
  it('names each leaf that differs, one missing on either side included', () => {
    expect(differences({ a: { b: '1', c: 2 }, d: 1 }, { a: { b: '2', c: 2 }, e: 1 })).toEqual([
      'a.b: served "1", expected "2"',
      'd: served 1, expected undefined',
      'e: served undefined, expected 1',
    ]);
    expect(differences({ a: ['x'] }, { a: ['x'] })).toEqual([]);
  });
});
