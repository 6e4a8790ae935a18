import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { codeHashHex, readModelSettings } from './settings.js';

const hex = 'ab'.repeat(31) + 'ff';
const base64 = Buffer.from(hex, 'hex').toString('base64');

describe('code hashes', () => {
  it('are read from hex in either case, base64 and base64url', () => {
    const forms = [hex, hex.toUpperCase(), base64, base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')];
    expect(forms.map(codeHashHex)).toEqual([hex, hex, hex, hex]);
  });

  it('are refused in any other form, with the index of each wrong one', () => {
    expect([hex.slice(2), `${hex}00`, 'x', ''].map(codeHashHex)).toEqual([undefined, undefined, undefined, undefined]);
    const schema = z.object({ STANDARD_MINTER_CODE_HASHES: readModelSettings.STANDARD_MINTER_CODE_HASHES });
    expect(schema.parse({ STANDARD_MINTER_CODE_HASHES: `${hex}, ${base64}` })).toEqual({
      STANDARD_MINTER_CODE_HASHES: [hex, hex],
    });
    expect(schema.parse({}).STANDARD_MINTER_CODE_HASHES).toHaveLength(5);
    const wrong = schema.safeParse({ STANDARD_MINTER_CODE_HASHES: `${hex},x` });
    expect(wrong.error?.issues[0]?.message).toBe('hash 1: must be 32 bytes in hex or base64');
  });
});
