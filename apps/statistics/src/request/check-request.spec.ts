import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@jetton-analytics/service';
import { checkRequest } from './check-request.js';

const raw = `0:${'a1'.repeat(32)}`;

function violationsOf(request: Parameters<typeof checkRequest>[0]) {
  try {
    checkRequest(request);
  } catch (error) {
    if (error instanceof DomainError) return error.violations.map(({ field, reason }) => `${field} ${reason}`);
    throw error;
  }
  return [];
}

describe('checkRequest', () => {
  it('gives raw lower-case addresses by name', () => {
    const addresses = { address: raw.toUpperCase(), poolAddress: raw };
    expect(checkRequest({ url: '/x', network: 'mainnet', addresses })).toEqual({ address: raw, poolAddress: raw });
  });

  it('lists every violation at once: addresses, unknown and broken parameters', () => {
    const url = '/x?limit=1&_=2&b=%zz';
    const found = violationsOf({ url, network: 'mainnet', addresses: { address: 'ton', poolAddress: '' } });
    expect(found).toEqual([
      'address MALFORMED_ADDRESS',
      'poolAddress MALFORMED_ADDRESS',
      'b MALFORMED',
      'limit UNKNOWN_FIELD',
    ]);
  });

  it('tells a test-net address from a malformed one, and takes it on the test net', () => {
    const addresses = { address: 'kQChoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoW4o' };
    const onMainnet = violationsOf({ url: '/x', network: 'mainnet', addresses });
    expect(onMainnet).toEqual(['address WRONG_NETWORK']);
    expect(checkRequest({ url: '/x', network: 'testnet', addresses })).toEqual({ address: raw });
  });
});
