import { describe, expect, it } from '@jest/globals';
import { PlaceCursors } from './place-cursor.js';

const secret = 'a secret of at least thirty-two characters';
const cursors = new PlaceCursors(secret);
const made = { jetton: '0:ab', side: 'buy' };
const place = [1_700_000_000, 'f'.repeat(64), 'sell'] as const;

const reasonOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return (error as { violations?: { reason: string }[] }).violations?.[0]?.reason;
  }
};

describe('a cursor that carries a place', () => {
  it('leads back to the place, is URL-safe and at most 512 characters long', () => {
    const cursor = cursors.write(made, place);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
    expect(cursors.read(made, cursor)).toEqual(place);
    expect(cursors.check(cursor)).toBeUndefined();
  });

  it('is read by another replica with the same secret', () => {
    expect(new PlaceCursors(secret).read(made, cursors.write(made, place))).toEqual(place);
  });

  it('is refused with other filters', () => {
    const cursor = cursors.write(made, place);
    expect(reasonOf(() => cursors.read({ ...made, side: 'sell' }, cursor))).toBe('CURSOR_MISMATCH');
  });

  it('is refused when it is altered anywhere, cut or of another secret', () => {
    const cursor = cursors.write(made, place);
    const altered = Array.from(cursor, (character, index) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`;
    });
    const foreign = [new PlaceCursors(`${secret}!`).write(made, place)];
    for (const bad of [...altered, ...foreign, cursor.slice(0, -1), `${cursor}A`, 'x', '{}', '%00']) {
      expect(reasonOf(() => cursors.read(made, bad))).toBe('CURSOR_INVALID');
      expect(cursors.check(bad)?.reason).toBe('CURSOR_INVALID');
    }
  });
});
