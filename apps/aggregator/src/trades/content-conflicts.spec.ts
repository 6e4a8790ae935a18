import { describe, expect, it } from '@jest/globals';
import { address, ledgerTrade, nativeAddress, type TradeFields } from '../../test/feed-messages.js';
import { ContentConflicts } from './content-conflicts.js';

const base: TradeFields = { tx: 'one', eventTime: 1_767_261_600, sold: nativeAddress, bought: address('jetton') };
const trade = (fields: Partial<TradeFields> = {}, timestampMs?: number) =>
  ledgerTrade({ ...base, ...fields }, timestampMs);

describe('a content conflict', () => {
  it('is another content under the same identity and revision, whichever record is later', () => {
    const conflicts = new ContentConflicts(100);
    const timestampMs = base.eventTime * 1_000;
    expect(conflicts.record(trade({}, timestampMs))).toBe(false);
    expect(conflicts.record(trade({ volumeUsd: '6' }, timestampMs + 1))).toBe(true);
    expect(conflicts.record(trade({ volumeUsd: '7' }, timestampMs - 1))).toBe(true);
  });

  it('is not a repeat, also one with another record timestamp', () => {
    const conflicts = new ContentConflicts(100);
    for (const delayMs of [0, 5_000, 1_000]) {
      expect(conflicts.record(trade({}, (base.eventTime + 1) * 1_000 + delayMs))).toBe(false);
    }
  });

  it('is neither a correction by a higher revision nor its retraction', () => {
    const conflicts = new ContentConflicts(100);
    expect(conflicts.record(trade())).toBe(false);
    expect(conflicts.record(trade({ revision: 1, volumeUsd: '9' }))).toBe(false);
    expect(conflicts.record(trade({ revision: 1, deleted: true }))).toBe(false);
  });

  it('is not told between two events', () => {
    const conflicts = new ContentConflicts(100);
    expect(conflicts.record(trade())).toBe(false);
    expect(conflicts.record(trade({ tx: 'two', volumeUsd: '6' }))).toBe(false);
  });

  it('is looked for among the most recent identities only, so that memory is bounded', () => {
    const conflicts = new ContentConflicts(2);
    conflicts.record(trade());
    conflicts.record(trade({ tx: 'two' }));
    conflicts.record(trade()); // the oldest is now two
    conflicts.record(trade({ tx: 'three' }));
    expect(conflicts.record(trade({ tx: 'two', volumeUsd: '6' }))).toBe(false);
    expect(conflicts.record(trade({ tx: 'three', volumeUsd: '6' }))).toBe(true);
  });
});
