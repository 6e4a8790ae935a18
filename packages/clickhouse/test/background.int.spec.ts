import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pollUntil, sharedClickHouse } from '@jetton-analytics/testing';
import { z } from 'zod';
import { clickhouseSettings, createReader, defineQuery } from '../src/index.js';

const tag = randomUUID();
const work = (which: string, numbers: number) =>
  defineQuery({
    name: 'work',
    sql: `SELECT toInt32(countIf(sipHash64(number) = 1)) AS found FROM numbers(${numbers})
          WHERE '${tag}' != '${which}' SETTINGS max_threads = 1, max_block_size = 2000`,
    params: z.object({}),
    row: z.object({ found: z.int() }),
  });
const running = defineQuery({
  name: 'running',
  sql: `SELECT toInt32(count()) AS statements FROM system.processes
        WHERE position(query, '${tag}') > 0 AND position(query, 'processes') = 0`,
  params: z.object({}),
  row: z.object({ statements: z.int() }),
});

describe('a statement of the background', () => {
  it('makes way for one that begins later and has twice as much to do', async () => {
    const { url } = await sharedClickHouse();
    const settings = z.object(clickhouseSettings).parse({ CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: 'default' });
    const background = createReader(settings, { application: 'tests', lane: 'background' });
    const foreground = createReader(settings, { application: 'tests', lane: 'snapshot' });
    try {
      const ended: string[] = [];
      const first = background.query(work('background', 20_000_000), {}).then(() => ended.push('background'));
      await pollUntil(async () => (await foreground.query(running, {}))[0]?.statements === 1, {
        what: 'the statement of the background to run',
        timeoutMs: 30_000,
      });
      const second = foreground.query(work('foreground', 40_000_000), {}).then(() => ended.push('foreground'));
      await Promise.all([first, second]);
      expect(ended).toEqual(['foreground', 'background']);
    } finally {
      await Promise.all([background.close(), foreground.close()]);
    }
  }, 600_000);
});
