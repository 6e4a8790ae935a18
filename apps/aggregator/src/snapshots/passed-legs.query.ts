import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import type { Market } from './market.js';

// One condition per range, so that the minutes in between are not looked at. Rows that were replaced count too: a market
// too many costs little.
function passedMarketsIn(rangeCount: number) {
  const ranges = Array.from(
    { length: rangeCount },
    (_, index) => `minute >= toStartOfMinute({from${index}: DateTime('UTC')}) AND minute < {to${index}: DateTime('UTC')}
      AND event_time >= {from${index}: DateTime('UTC')} AND event_time < {to${index}: DateTime('UTC')}`,
  );
  return defineQuery({
    name: 'passedMarkets',
    sql: `SELECT DISTINCT jetton, pool FROM jetton_legs_v1 WHERE (${ranges.join(') OR (')})`,
    params: z.record(z.string(), z.int()),
    row: z.object({ jetton: z.string(), pool: z.string() }),
  });
}

const passedMarketsQueries = new Map<number, ReturnType<typeof passedMarketsIn>>();

/**
 * The markets ('' for trades without a pool) with legs between the old and the new place of any edge, Unix seconds, each
 * edge at the same index of both: those from whose windows time alone has taken a leg, or to whose it has added one.
 */
export async function readPassedMarkets(
  reader: ClickHouseReader,
  before: readonly number[],
  now: readonly number[],
): Promise<Market[]> {
  const ranges = before.flatMap((from, index) => {
    const to = now[index] ?? from;
    return to > from ? [{ from, to }] : [];
  });
  if (ranges.length === 0) return [];
  const query = passedMarketsQueries.get(ranges.length) ?? passedMarketsIn(ranges.length);
  passedMarketsQueries.set(ranges.length, query);
  const params = ranges.flatMap(({ from, to }, index) => [
    [`from${index}`, from] as const,
    [`to${index}`, to] as const,
  ]);
  return reader.query(query, Object.fromEntries(params));
}
