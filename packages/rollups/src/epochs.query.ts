import { defineInsert, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const epochText = z.string().regex(/^\d+$/).transform(BigInt);

/** The newest rebuild epoch; 0 before the first rebuild. */
export const newestEpoch = defineQuery({
  name: 'newestEpoch',
  sql: 'SELECT toString(max(epoch)) AS newest FROM rebuild_epochs_v1',
  params: z.object({}),
  row: z.object({ newest: epochText }),
});

/** How many rebuilds have finished. */
export const finishedRebuilds = defineQuery({
  name: 'finishedRebuilds',
  sql: `SELECT toInt32(count()) AS finished FROM rebuild_epochs_v1 WHERE state = 'finished'`,
  params: z.object({}),
  row: z.object({ finished: z.int() }),
});

type EpochRow = readonly [epoch: string, startedAt: number, reason: string, state: 'started' | 'finished', by: string];

export const insertEpoch = defineInsert<EpochRow>({
  name: 'insertEpoch',
  table: 'rebuild_epochs_v1',
  columns: ['epoch', 'started_at', 'reason', 'state', 'set_by'],
});
