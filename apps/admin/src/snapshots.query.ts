import { defineQuery } from '@jetton-analytics/clickhouse';
import { Step } from '@jetton-analytics/common';
import { z } from 'zod';

const bigintText = z.string().regex(/^\d+$/).transform(BigInt);

/** The newest leadership, whose clock is the store's. */
export const newestTerm = defineQuery({
  name: 'adminNewestTerm',
  sql: 'SELECT term, clock FROM snapshot_terms_v1 ORDER BY term DESC LIMIT 1',
  params: z.object({}),
  row: z.object({ term: z.int(), clock: z.string() }),
});

const Marker = z.object({
  term: z.int(),
  step: Step,
  marker_version: bigintText,
  calculated_at_s: z.int(),
  as_of_s: z.int(),
  position: z.string(),
});
export type Marker = z.infer<typeof Marker>;

const columns = `term, step, toString(version) AS marker_version, toUnixTimestamp(calculated_at) AS calculated_at_s,
  toUnixTimestamp(as_of) AS as_of_s, toString(input_position) AS position`;
const ofClock = 'term IN (SELECT term FROM snapshot_terms_v1 WHERE clock = {clock: String})';

/** Per step the newest snapshot of a clock: a later leader's before a later one of a former leader. */
export const newestMarkers = defineQuery({
  name: 'adminNewestMarkers',
  sql: `SELECT ${columns} FROM snapshot_markers_v1 WHERE ${ofClock}
        ORDER BY step, term DESC, version DESC LIMIT 1 BY step`,
  params: z.object({ clock: z.string() }),
  row: Marker,
});

/** The newest snapshot of a step and clock that was calculated in (after, upTo]. */
export const markerUpTo = defineQuery({
  name: 'adminMarkerUpTo',
  sql: `SELECT ${columns} FROM snapshot_markers_v1
        WHERE ${ofClock} AND step = {step: String}
          AND calculated_at > {after: DateTime('UTC')} AND calculated_at <= {upTo: DateTime('UTC')}
        ORDER BY calculated_at DESC, term DESC, version DESC LIMIT 1`,
  params: z.object({ clock: z.string(), step: Step, after: z.int(), upTo: z.int() }),
  row: Marker,
});
