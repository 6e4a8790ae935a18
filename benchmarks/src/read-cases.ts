import { createHash } from 'node:crypto';
import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

export const jetton = `0:${createHash('sha256').update('jetton7').digest('hex')}`;

const sqlRow = z.record(z.string(), z.unknown());
const windowsOf = 'jetton, step, windows, usd_by_day, price_changed_at_ton';
export const sqlOne = defineQuery({
  name: 'sqlOne',
  sql: `SELECT ${windowsOf} FROM jetton_statistics_v1 FINAL WHERE jetton = {jetton: String}`,
  params: z.object({ jetton: z.string() }),
  row: sqlRow,
});
export const sqlList = defineQuery({
  name: 'sqlList',
  sql: `SELECT ${windowsOf} FROM jetton_statistics_v1 FINAL WHERE jetton IN (
          SELECT jetton FROM jetton_statistics_v1 FINAL WHERE step = 'mid' AND jetton IN (
            SELECT asset FROM jetton_holder_buckets_v1 FINAL GROUP BY asset HAVING sum(holders) >= 900)
          ORDER BY arraySum(w -> w.volume_usd_buy_current + w.volume_usd_sell_current,
                            arrayFilter(w -> w.window = 'day', windows)) DESC LIMIT 20)`,
  params: z.object({}),
  row: sqlRow,
});

export interface Case {
  readonly name: string;
  readonly path: string;
  readonly app: 'statistics' | 'metrics';
  readonly status: 200 | 304;
  readonly isPaid?: true;
  readonly sql?: 'one' | 'list';
}
const list = 'limit=20&sort=volume24h&order=desc&holders.min=900';
export const cases: readonly Case[] = [
  { name: 'one jetton', path: `/v1/jettons/${jetton}/stats`, app: 'statistics', status: 200, sql: 'one' },
  { name: 'list of 20', path: `/v1/jettons/stats?${list}`, app: 'statistics', status: 200, isPaid: true, sql: 'list' },
  { name: 'search', path: '/v1/jettons/metrics?limit=20&search=named%2099', app: 'metrics', status: 200 },
  { name: '304', path: `/v1/jettons/${jetton}/stats`, app: 'statistics', status: 304 },
];
