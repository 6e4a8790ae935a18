import { describe, expect, it } from '@jest/globals';
import { Outbox, pendingMax } from './outbox.js';
import { Random } from './random.js';

const deliverAll = (outbox: Outbox, count: number): void => {
  const random = Random.seeded(1, 'outbox');
  for (let at = 0; at < count; at += 1) outbox.deliver('trades', String(at), at * 1000, random);
};

describe('Outbox', () => {
  it('sends about one in a hundred twice and one in two hundred late, by minutes to days', () => {
    const outbox = new Outbox();
    deliverAll(outbox, 20_000);
    const inTime = outbox.takeDue().map(({ value }) => value);
    expect(new Set(inTime).size).toBe(inTime.length);
    const isInTime = new Set(inTime);
    const { pending } = outbox.state();
    const lateMs = pending
      .filter(({ value }) => !isInTime.has(value))
      .map(({ atMs, value }) => atMs - Number(value) * 1000);
    expect(20_000 - inTime.length).toBeGreaterThan(60);
    expect(20_000 - inTime.length).toBeLessThan(140);
    expect(pending.length - (20_000 - inTime.length)).toBeGreaterThan(140);
    expect(pending.length - (20_000 - inTime.length)).toBeLessThan(260);
    expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(60_000);
    expect(Math.max(...lateMs)).toBeGreaterThan(86_400_000);
  });

  it('holds back a bounded number: what is beyond is in time, repeats and corrections beyond are left out', () => {
    const outbox = new Outbox();
    for (let at = 0; at < pendingMax + 100; at += 1) outbox.sendLater('trades', 'x', 1);
    expect(outbox.state().pending).toHaveLength(pendingMax);
    deliverAll(outbox, 2000);
    expect(outbox.takeDue()).toHaveLength(2000);
    expect(outbox.state().pending).toHaveLength(pendingMax);
  });

  it('numbers the records of each kind by themselves and goes on counting from its state', () => {
    const outbox = new Outbox();
    outbox.send('trades', 'a', 1);
    outbox.send('pools', 'b', 1);
    outbox.send('trades', 'c', 2);
    expect(outbox.takeDue().map(({ kind, sequence }) => `${kind} ${sequence}`)).toEqual([
      'trades 0',
      'pools 0',
      'trades 1',
    ]);
    outbox.sendLater('trades', 'd', 3);
    const again = new Outbox(outbox.state());
    again.sendPending();
    expect(again.takeDue()).toEqual([{ kind: 'trades', value: 'd', timestampMs: 3, sequence: 2 }]);
  });
});
