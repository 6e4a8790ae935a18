import type { Leg } from '@jetton-analytics/feed';
import { defineInsert } from '@jetton-analytics/clickhouse';

/** A ledger row in the order of `insertLegs.columns`; integers beyond 2^53 and decimals are text. */
export type LegRow = readonly [
  minute: number,
  jetton: string,
  pool: string,
  eventId: string,
  side: 'buy' | 'sell',
  eventTime: number,
  counterAsset: string,
  amount: string,
  counterAmount: string,
  volumeUsd: string | null,
  volumeTon: string | null,
  trader: string,
  project: string,
  txHash: string,
  revision: number,
  deleted: 0 | 1,
  isTrade: 0 | 1,
  recordTime: string,
  version: string,
];

export const insertLegs = defineInsert<LegRow>({
  name: 'insertLegs',
  table: 'jetton_legs_v1',
  columns: [
    'minute',
    'jetton',
    'pool',
    'event_id',
    'side',
    'event_time',
    'counter_asset',
    'amount',
    'counter_amount',
    'volume_usd',
    'volume_ton',
    'trader',
    'project',
    'tx_hash',
    'revision',
    'deleted',
    'is_trade',
    'record_time',
    'version',
  ],
});

export function legRow(leg: Leg): LegRow {
  return [
    leg.minute,
    leg.jetton,
    leg.pool,
    leg.eventId,
    leg.side,
    leg.eventTime,
    leg.counterAsset,
    leg.amount.toString(),
    leg.counterAmount.toString(),
    leg.volumeUsd,
    leg.volumeTon,
    leg.trader,
    leg.project,
    leg.txHash,
    leg.revision,
    leg.deleted ? 1 : 0,
    leg.isTrade ? 1 : 0,
    // Seconds with a fraction: DateTime64(3) reads decimal text exactly.
    `${Math.floor(leg.recordTimestampMs / 1000)}.${String(leg.recordTimestampMs % 1000).padStart(3, '0')}`,
    leg.version.toString(),
  ];
}
