import { describe, expect, it } from '@jest/globals';
import { WrittenAtFollower } from './written-at.js';

interface Row {
  readonly key: string;
  readonly at: number;
}

function table() {
  const rows: Row[] = [];
  const asked: number[] = [];
  const seen: string[] = [];
  const source = {
    newest: async () => rows.reduce<number | undefined>((newest, { at }) => Math.max(newest ?? 0, at), undefined),
    async *rowsSince(since: number) {
      asked.push(since);
      yield rows.filter(({ at }) => at >= since);
    },
  };
  const clock = { nowMs: 0 };
  const apply = (page: readonly Row[]) => seen.push(...page.map(({ key }) => key));
  const follower = new WrittenAtFollower<Row>(source, apply, () => clock.nowMs);
  return { rows, asked, seen, follower, clock };
}

describe('following by the instant of writing', () => {
  it('reads everything first, then nothing while nothing is written', async () => {
    const { rows, asked, seen, follower } = table();
    await follower.followOnce();
    expect(asked).toEqual([]);
    rows.push({ key: 'a', at: 1_000 }, { key: 'b', at: 900_000 });
    await follower.followOnce();
    expect(seen).toEqual(['a', 'b']);
    for (let round = 0; round < 5; round += 1) await follower.followOnce();
    expect(asked).toEqual([0]);
  });

  it('reads what was written before a call, also when a round is under way', async () => {
    const { rows, seen, follower } = table();
    rows.push({ key: 'a', at: 1_000 });
    const first = follower.followOnce();
    const second = Promise.resolve().then(() => {
      rows.push({ key: 'b', at: 2_000 });
      return follower.followOnce();
    });
    await Promise.all([first, second]);
    expect(new Set(seen)).toEqual(new Set(['a', 'b']));
  });

  it('finds a row that became visible late: a little behind at once, two minutes behind within ten rounds', async () => {
    const { rows, seen, follower } = table();
    rows.push({ key: 'a', at: 900_000 });
    await follower.followOnce();
    rows.push({ key: 'late', at: 896_000 }, { key: 'very late', at: 790_000 }, { key: 'b', at: 900_001 });
    await follower.followOnce();
    expect(seen).toContain('late');
    expect(seen).not.toContain('very late');
    for (let round = 0; round < 10; round += 1) await follower.followOnce();
    expect(seen).toContain('very late');
  });

  it('looks back for as long as a row may come late, and no longer while nothing is written', async () => {
    const { rows, asked, seen, follower, clock } = table();
    const roundsTo = async (endMs: number) => {
      for (; clock.nowMs < endMs; clock.nowMs += 2_000) await follower.followOnce();
    };
    rows.push({ key: 'a', at: 900_000 });
    await roundsTo(110_000);
    rows.push({ key: 'very late', at: 790_000 });
    await roundsTo(160_000);
    expect(seen).toContain('very late');
    const settled = asked.length;
    await roundsTo(900_000);
    expect(asked).toHaveLength(settled);
    rows.push({ key: 'b', at: 1_900_000 });
    await roundsTo(910_000);
    rows.push({ key: 'later still', at: 1_790_000 });
    await roundsTo(990_000);
    expect(seen).toEqual(expect.arrayContaining(['b', 'later still']));
  });

  it('reads again what it could not finish', async () => {
    const { rows, seen } = table();
    rows.push({ key: 'a', at: 5_000 });
    let fails = true;
    const failing = new WrittenAtFollower<Row>(
      {
        newest: async () => 5_000,
        async *rowsSince() {
          yield rows;
          if (fails) throw new Error('away');
        },
      },
      (page) => seen.push(...page.map(({ key }) => key)),
      () => 0,
    );
    await expect(failing.followOnce()).rejects.toThrow('away');
    fails = false;
    await failing.followOnce();
    expect(seen).toEqual(['a', 'a']);
  });
});
