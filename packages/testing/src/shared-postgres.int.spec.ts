import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedPostgres } from './index.js';

describe('sharedPostgres', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await sharedPostgres());
  }, 480_000);

  it('is one server for everybody who asks in this run', async () => {
    expect(await Promise.all([sharedPostgres(), sharedPostgres()])).toEqual([{ url }, { url }]);
    expect(new URL(url).pathname).toBe('/jetton_analytics');
  });
});
