import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

export const inputStatusRows = defineQuery({
  name: 'inputStatusRows',
  sql: `SELECT topic, status, toUnixTimestamp(as_of) AS as_of_s, toString(version) AS row_version
        FROM input_status_v2 FINAL
        ORDER BY topic`,
  params: z.object({}),
  row: z.object({
    topic: z.string(),
    status: z.string(),
    as_of_s: z.int(),
    row_version: z.string().regex(/^\d+$/).transform(BigInt),
  }),
});
