import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedClickHouse } from './index.js';

describe('sharedClickHouse', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await sharedClickHouse());
  }, 480_000);

  it('is one engine for everybody who asks in this run', async () => {
    expect(await Promise.all([sharedClickHouse(), sharedClickHouse()])).toEqual([{ url }, { url }]);
    const answer = await fetch(url, { method: 'POST', body: 'SELECT 40 + 2' });
    expect((await answer.text()).trim()).toBe('42');
  });
});
