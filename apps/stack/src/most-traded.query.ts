import { clickhouseSettings, createReader, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const mostTraded = defineQuery({
  name: 'mostTradedJetton',
  sql: `SELECT jetton, sum(transactions_buy + transactions_sell) AS transactions
        FROM jetton_trades_per_minute_v1 FINAL
        WHERE minute > {asOf: DateTime('UTC')} - INTERVAL 1 DAY AND minute <= {asOf: DateTime('UTC')}
          AND NOT has({excluded: Array(String)}, jetton)
        GROUP BY jetton
        HAVING transactions > 0
        ORDER BY transactions DESC, jetton
        LIMIT 1`,
  params: z.object({ asOf: z.string(), excluded: z.array(z.string()) }),
  row: z.object({ jetton: z.string(), transactions: z.string() }),
});

/**
 * The jetton with the most trades in the day before `asOf` (ISO, whole seconds), by its raw address; undefined when there
 * is none. `excluded` are raw addresses. Throws ClickHouseUnavailableError or ClickHouseQueryError.
 */
export async function mostTradedJetton(
  env: NodeJS.ProcessEnv,
  asOf: string,
  excluded: readonly string[],
): Promise<string | undefined> {
  const reader = createReader(z.object(clickhouseSettings).parse(env), { application: 'stack', connectionsMax: 1 });
  try {
    const params = { asOf: asOf.replace('T', ' ').replace('Z', ''), excluded: [...excluded] };
    return (await reader.query(mostTraded, params))[0]?.jetton;
  } finally {
    await reader.close();
  }
}
