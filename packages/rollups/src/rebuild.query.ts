import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const params = z.object({ from: z.int(), to: z.int(), jetton: z.string() });

/** Hours that the ledger has rows of in [from, to), with how many, replaced ones too; an empty jetton means all. */
export const ledgerHours = defineQuery({
  name: 'ledgerHours',
  sql: `SELECT toUnixTimestamp(toStartOfHour(minute)) AS hour_s, toString(count()) AS legs
        FROM jetton_legs_v1
        WHERE minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
          AND ({jetton: String} = '' OR jetton = {jetton: String})
        GROUP BY hour_s ORDER BY hour_s`,
  params,
  row: z.object({ hour_s: z.int(), legs: z.string().regex(/^\d+$/).transform(BigInt) }),
});

/** T of the newest snapshot, Unix seconds; 0 before the first. */
export const newestAsOf = defineQuery({
  name: 'newestAsOf',
  sql: `SELECT toUnixTimestamp(max(as_of)) AS as_of_s FROM snapshot_markers_v1
        WHERE term = (SELECT max(term) FROM snapshot_markers_v1)`,
  params: z.object({}),
  row: z.object({ as_of_s: z.int() }),
});
