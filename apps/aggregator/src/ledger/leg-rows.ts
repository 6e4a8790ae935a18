import { defineInsert, RowBinaryWriter } from '@jetton-analytics/clickhouse';
import type { Leg } from '@jetton-analytics/feed';

/** Rows as {@link legRows} writes them. */
export const insertLegs = defineInsert({
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

const rowBytesExpected = 640;
/** Numbers of the table's Enum8. */
const sides = { buy: 1, sell: 2 } as const;
/** Of the volumes' Decimal(76, 18). */
const volumeDigits = 18;

/** The legs as rows of {@link insertLegs}, in RowBinary. */
export function legRows(legs: readonly Leg[]): Buffer {
  const rows = new RowBinaryWriter(legs.length * rowBytesExpected);
  for (const leg of legs) {
    rows
      .uint32(leg.minute)
      .string(leg.jetton)
      .string(leg.pool)
      .fixed(leg.eventId)
      .uint8(sides[leg.side])
      .uint32(leg.eventTime)
      .string(leg.counterAsset)
      .int128(leg.amount)
      .int128(leg.counterAmount);
    writeVolume(rows, leg.volumeUsd);
    writeVolume(rows, leg.volumeTon);
    rows
      .string(leg.trader)
      .string(leg.project)
      .fixed(leg.txHash)
      .uint32(leg.revision)
      .uint8(leg.deleted ? 1 : 0)
      .uint8(leg.isTrade ? 1 : 0)
      .int64(BigInt(leg.recordTimestampMs))
      .int256(leg.version);
  }
  return rows.bytes;
}

function writeVolume(rows: RowBinaryWriter, volume: string | null): void {
  if (volume === null) rows.absent();
  else rows.present().int256(inLastDigits(volume));
}

/** A plain decimal with at most 18 fractional digits, in units of the last of them. */
function inLastDigits(text: string): bigint {
  const point = text.indexOf('.');
  const whole = point < 0 ? text : text.slice(0, point);
  const fraction = point < 0 ? '' : text.slice(point + 1);
  return BigInt(whole + fraction.padEnd(volumeDigits, '0'));
}
