import { describe, expect, it } from '@jest/globals';
import { ChangeFollower } from './change-numbers.js';

const row = (changeNumber: bigint) => ({ changeNumber });

describe('following by change number', () => {
  it('reads every change once, whatever the size of a page, and goes on after an outage where it was', async () => {
    const changes = [1n, 2n, 3n, 7n, 8n].map(row);
    const seen: bigint[] = [];
    let failAfter = 3n;
    const source = {
      rowsAfter: async (after: bigint, rowsMax: number) => {
        if (after >= failAfter) throw new Error('away');
        return changes.filter(({ changeNumber }) => changeNumber > after).slice(0, rowsMax);
      },
    };
    const follower = new ChangeFollower(source, (rows) => seen.push(...rows.map((one) => one.changeNumber)), 1);
    await expect(follower.followOnce()).rejects.toThrow('away');
    expect(seen).toEqual([1n, 2n, 3n]);
    failAfter = 100n;
    await follower.followOnce();
    changes.push(row(9n));
    await follower.followOnce();
    expect(seen).toEqual([1n, 2n, 3n, 7n, 8n, 9n]);
  });
});
