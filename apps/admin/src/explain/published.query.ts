import { defineQuery } from '@jetton-analytics/clickhouse';
import { Step } from '@jetton-analytics/common';
import { z } from 'zod';

const Price = z.object({ value: z.string(), decimals: z.int() });
const text = z.string();

/** The figures of one window as a snapshot holds them. */
export const PublishedWindow = z.object({
  window: z.string(),
  transactions_buy_current: text,
  transactions_buy_previous: text,
  transactions_sell_current: text,
  transactions_sell_previous: text,
  traders_current: text,
  traders_previous: text,
  traders_buy_current: text,
  traders_buy_previous: text,
  traders_sell_current: text,
  traders_sell_previous: text,
  volume_usd_buy_current: text,
  volume_usd_buy_previous: text,
  volume_usd_sell_current: text,
  volume_usd_sell_previous: text,
  volume_ton_buy_current: text,
  volume_ton_buy_previous: text,
  volume_ton_sell_current: text,
  volume_ton_sell_previous: text,
  price_ton_current: Price,
  price_ton_previous: Price,
  price_usd_current: Price,
  price_usd_previous: Price,
});
export type PublishedWindow = z.infer<typeof PublishedWindow>;

/** Of each slot of the jetton's row its newest version: the last two snapshots in which its figures changed. */
export const publishedRows = defineQuery({
  name: 'adminPublishedRows',
  sql: `SELECT slot, toString(max(version)) AS row_version, argMax(known, version) AS row_known,
          argMax(toJSONString(windows), version) AS figures
        FROM jetton_statistics_v1
        WHERE term = {term: UInt32} AND step = {step: String} AND jetton = {jetton: String}
        GROUP BY slot`,
  params: z.object({ term: z.int(), step: Step, jetton: z.string() }),
  row: z.object({
    slot: z.int(),
    row_version: z.string().regex(/^\d+$/).transform(BigInt),
    row_known: z.int(),
    figures: z.string(),
  }),
});
