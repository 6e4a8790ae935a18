import { describe, expect, it } from '@jest/globals';
import { sharedClickHouse } from '@jetton-analytics/testing';
import { z } from 'zod';
import { clickhouseSettings, createReader, defineQuery } from '../src/index.js';

const query = (name: string, sql: string) =>
  defineQuery({ name, sql, params: z.object({}), row: z.object({ one: z.int() }) });

describe('the time of statements', () => {
  it('is told of each by its name, of one that fails too', async () => {
    const { url } = await sharedClickHouse();
    const told: [string, boolean][] = [];
    const onStatement = (name: string, seconds: number) => told.push([name, seconds > 0]);
    const settings = z.object(clickhouseSettings).parse({ CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: 'default' });
    const reader = createReader(settings, { application: 'tests', onStatement });
    try {
      expect(await reader.query(query('right', 'SELECT 1 AS one'), {})).toEqual([{ one: 1 }]);
      await expect(reader.query(query('wrong', 'SELECT nothing FROM nowhere'), {})).rejects.toThrow('wrong');
      expect(told).toEqual([
        ['right', true],
        ['wrong', true],
      ]);
    } finally {
      await reader.close();
    }
  }, 180_000);
});
