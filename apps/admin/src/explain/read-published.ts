import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { Step } from '@jetton-analytics/figures';
import { z } from 'zod';
import { AdminError } from '../admin-error.js';
import { type Marker, markerUpTo, newestMarkers, newestTerm } from '../snapshots.query.js';
import { publishedRows, PublishedWindow } from './published.query.js';

export interface Published {
  /** Of the store; `unknown` before the first leader. */
  readonly clock: string;
  /** C, Unix seconds. */
  readonly calculatedAt: number;
  readonly marker?: Marker;
  readonly figures?: PublishedWindow;
  /** Version of the row that holds the figures: of the last snapshot in which they changed. */
  readonly rowVersion?: string;
  /** Why there are no figures. */
  readonly reason?: string;
}

/** An instant that was asked for has a snapshot of its own where one was calculated so shortly before it. */
const markerAgeSecondsMax = 600;
const Windows = z.array(PublishedWindow);

async function markerOf(reader: ClickHouseReader, clock: string, step: Step, at: number | undefined) {
  if (at === undefined) {
    const markers = await reader.query(newestMarkers, { clock });
    return markers.find((marker) => marker.step === step);
  }
  const [marker] = await reader.query(markerUpTo, { clock, step, after: at - markerAgeSecondsMax, upTo: at });
  return marker;
}

/**
 * The snapshot of a step at an instant (the newest without one) and what it says of a jetton's window.
 * @throws AdminError where nothing was calculated yet and no instant is given
 */
export async function readPublished(
  reader: ClickHouseReader,
  { jetton, window, step, at }: { jetton: string; window: string; step: Step; at: number | undefined },
): Promise<Published> {
  const [term] = await reader.query(newestTerm, {});
  const clock = term?.clock ?? 'unknown';
  const marker = term === undefined ? undefined : await markerOf(reader, clock, step, at);
  if (marker === undefined) {
    if (at === undefined) throw new AdminError('refused', 'nothing was calculated yet: give an instant with --at');
    return { clock, calculatedAt: at, reason: 'no snapshot of that instant is known' };
  }
  const base = { clock, calculatedAt: marker.calculated_at_s, marker };
  const rows = await reader.query(publishedRows, { term: marker.term, step, jetton });
  // The two slots hold the last two states: the newest that the marker publishes was valid at it.
  const row = rows
    .filter(({ row_version: version }) => version <= marker.marker_version)
    .reduce<(typeof rows)[number] | undefined>(
      (newest, one) => (newest === undefined || one.row_version > newest.row_version ? one : newest),
      undefined,
    );
  if (row === undefined) {
    const reason =
      rows.length === 0 ? 'the snapshot does not know the jetton' : 'what it published is stored no longer';
    return { ...base, reason };
  }
  if (row.row_known === 0) return { ...base, reason: 'all trades of the jetton were retracted' };
  const figures = Windows.parse(JSON.parse(row.figures)).find((one) => one.window === window);
  const rowVersion = row.row_version.toString();
  return figures === undefined ? { ...base, rowVersion, reason: 'no such window' } : { ...base, rowVersion, figures };
}
