import { describe, expect, it } from '@jest/globals';
import type { Pin } from '@jetton-analytics/list-engine';
import { PlaceCursors } from '../request/place-cursor.js';
import { MarketWalks } from './market-walks.js';

function walksAt() {
  const pins = new Map<string, Pin>();
  const clock = { ms: 1_795_219_200_000 };
  const walks = new MarketWalks({
    cursors: new PlaceCursors('a secret of at least thirty-two characters'),
    store: {
      save: async (pin) => void pins.set(pin.id, pin),
      load: async ({ id }) => pins.get(id),
    },
    nowMs: () => clock.ms,
    onStoreError: (error) => {
      throw error;
    },
  });
  const page = (pools: readonly string[], cursor?: string) =>
    walks.page(['0:a', null], { cursor, limit: 2 }, () => pools);
  return { clock, page, pins };
}

describe('MarketWalks', () => {
  it('gives the same data the same cursor, and each walk ten minutes from its first page', async () => {
    const { clock, page, pins } = walksAt();
    const first = await page(['1', '2', '3']);
    clock.ms += 3_600_000;
    expect(await page(['1', '2', '3'])).toEqual(first);
    expect(pins.size).toBe(1);
    clock.ms += 600_000;
    expect(await page(['3', '2', '1'], first.next)).toEqual({ pools: ['3'], next: undefined });
    clock.ms += 1;
    await expect(page(['1', '2', '3'], first.next)).rejects.toMatchObject({
      violations: [{ reason: 'CURSOR_EXPIRED' }],
    });
  });

  it('pins another order where the order has moved', async () => {
    const { page, pins } = walksAt();
    const first = await page(['1', '2', '3']);
    const moved = await page(['2', '1', '3']);
    expect(moved.pools).toEqual(['2', '1']);
    expect(moved.next).not.toBe(first.next);
    expect(pins.size).toBe(2);
  });
});
