import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { defineQuery } from '@jetton-analytics/clickhouse';
import { InputStatus, type ServiceStatus } from '@jetton-analytics/common';
import { formatInstant, windows } from '@jetton-analytics/figures';
import { z } from 'zod';
import { newestMarkers, newestTerm } from '../snapshots.query.js';

const inputs = defineQuery({
  name: 'adminInputStatus',
  sql: `SELECT status, toUnixTimestamp(as_of) AS as_of_s, toString(version) AS row_version
        FROM input_status_v2 FINAL ORDER BY topic`,
  params: z.object({}),
  row: z.object({ status: z.string(), as_of_s: z.int(), row_version: z.string().transform(BigInt) }),
});

/** What the leader writes once a second is old by now when it is older than this. */
const stalledMs = 30_000;
const writtenMsMask = (1n << 48n) - 1n;

export type StoreStatus = Omit<ServiceStatus, 'jettons' | 'markets'>;

/** What /v1/status says, as far as the store alone can tell: without the counts of a query app's memory. */
export async function storeStatus(reader: ClickHouseReader, nowMs: number): Promise<StoreStatus> {
  const [rows, [term]] = await Promise.all([reader.query(inputs, {}), reader.query(newestTerm, {})]);
  const markers = term === undefined ? [] : await reader.query(newestMarkers, { clock: term.clock });
  const asOf = Math.max(0, ...rows.map((row) => row.as_of_s), ...markers.map((marker) => marker.as_of_s));
  const perStep = new Map(markers.map((marker) => [marker.step, marker]));
  return {
    clock: term?.clock ?? 'unknown',
    ...(asOf > 0 && { asOf: formatInstant(asOf) }),
    inputs: rows.map((row) => {
      const status = InputStatus.parse(JSON.parse(row.status));
      const isOld = nowMs - Number(row.row_version & writtenMsMask) > stalledMs;
      return isOld ? { ...status, state: 'stalled' as const } : status;
    }),
    windows: Object.fromEntries(
      windows.flatMap(({ name, step }) => {
        const marker = perStep.get(step);
        if (marker === undefined) return [];
        const { calculated_at_s: calculatedAt, marker_version: version, position } = marker;
        return [
          [name, { calculatedAt: formatInstant(calculatedAt), snapshot: version.toString(), inputPosition: position }],
        ];
      }),
    ),
  };
}
