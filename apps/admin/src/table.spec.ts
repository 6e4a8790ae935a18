import { describe, expect, it } from '@jest/globals';
import { fields, printable, table } from './table.js';

describe('table', () => {
  it('pads columns by what is seen, not by what is stored', () => {
    const rows = [
      ['a', '1'],
      ['z\u0307o\u0301w', '22'],
    ];
    expect(table(['name', 'n'], rows)).toEqual(['name  n', 'a     1', 'z\u0307o\u0301w   22']);
  });

  it('lets nothing through that a terminal would act on', () => {
    const hostile = 'a\u001b[2Jb\u202ec\u2028d\u0007e\u200ef\r\n';
    expect(printable(hostile)).toBe('a·[2Jb·c·d·e·f··');
    expect(table(['x'], [[hostile]])[1]).toBe('a·[2Jb·c·d·e·f··');
    expect(fields([['by', hostile]])).toEqual(['by  a·[2Jb·c·d·e·f··']);
  });
});
