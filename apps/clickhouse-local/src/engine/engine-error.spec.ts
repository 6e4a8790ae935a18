import { describe, expect, it } from '@jest/globals';
import { EngineError, toEngineError } from './engine-error.js';

describe('toEngineError', () => {
  it.each([
    [
      'Code: 60. DB::Exception: Table a.b does not exist. (UNKNOWN_TABLE)',
      60,
      'UNKNOWN_TABLE',
      'Table a.b does not exist.',
    ],
    [
      'Code: 27. DB::Exception: Bad (at row 2)\n (X) (version 26.7.2.1)\n\n: While (CANNOT_PARSE_TEXT)',
      27,
      'CANNOT_PARSE_TEXT',
      'Bad (at row 2)\n (X) (version 26.7.2.1)\n\n: While',
    ],
    ['Code: 9. DB::Exception: no name', 9, 'UNKNOWN_EXCEPTION', 'no name'],
    ['disk on fire', 1001, 'STD_EXCEPTION', 'disk on fire'],
  ])('reads code, name and text of %j', (message, code, codeName, text) => {
    expect(toEngineError(new Error(message))).toMatchObject({ code, codeName, message: text });
  });

  it('gives a full disk the code at which clients try again', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(toEngineError(full)).toMatchObject({ code: 243, codeName: 'NOT_ENOUGH_SPACE', message: full.message });
  });

  it('leaves one of ours as it is', () => {
    const error = new EngineError(48, 'NOT_IMPLEMENTED', 'no');
    expect(toEngineError(error)).toBe(error);
  });
});
