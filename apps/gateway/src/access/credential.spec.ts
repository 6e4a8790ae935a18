import { describe, expect, it } from '@jest/globals';
import { credentialOf } from './credential.js';

const key = 'ja_live_0123456789ABCDEFGHIJKLMNOPQRSTUV3qOrpc';
const broken = `${key.slice(0, -1)}d`;

describe('credentialOf', () => {
  it('takes a key from either header, or the same from both', () => {
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key} ` },
      { 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
    ]) {
      expect(credentialOf(headers)).toEqual({ key });
    }
  });

  it('finds none where neither header is there, whatever else is', () => {
    expect(credentialOf({})).toBeUndefined();
    expect(credentialOf({ cookie: `key=${key}`, 'proxy-authorization': `Bearer ${key}` })).toBeUndefined();
  });

  it.each([
    { authorization: '' },
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: `Bearer ${broken}` },
    { authorization: `Bearer ${key} ${key}` },
    { 'x-api-key': '' },
    { 'x-api-key': broken },
    { 'x-api-key': `${key}, ${key}` },
    { authorization: `Bearer ${key}`, 'x-api-key': broken },
    { authorization: 'Basic eA==', 'x-api-key': key },
  ])('calls %j malformed, rather than pass its sender for one without a key', (headers) => {
    expect(credentialOf(headers)).toBe('malformed');
  });
});
