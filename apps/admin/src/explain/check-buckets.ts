import { formatInstant } from '@jetton-analytics/figures';
import type { StoredBucket } from './buckets.query.js';
import type { LegRow } from './legs.query.js';
import { NaiveSums, sameSums } from './naive-sums.js';

export type Grain = 'minute' | 'hour' | 'day';

const grainSeconds: Readonly<Record<Grain, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/**
 * `ok`: version and figures follow from the legs. `missing`, `stale`: there is no row, or its version is another; of an
 * hour or day that is no fault, windows then read its minutes. `wrong`: the right version with other figures, or a row
 * without any leg.
 */
export type BucketState = 'ok' | 'missing' | 'stale' | 'wrong';

export interface CheckedBucket {
  readonly grain: Grain;
  readonly start: string;
  readonly legs: number;
  /** Without the epoch of the last rebuild; null where there is no row. */
  readonly version: string | null;
  /** The epoch: bits 192 and up of a minute's version; null of an hour or a day, which add their minutes' up. */
  readonly epoch: string | null;
  /** What the version must be: of a minute the sum of its legs' versions, of others the sum of their minutes' stored ones. */
  readonly expectedVersion: string;
  readonly state: BucketState;
}

const epochBits = 192n;
const lowMask = (1n << epochBits) - 1n;
const modulus = 1n << 256n;

interface Expected {
  legs: number;
  version: bigint;
  readonly sums: NaiveSums;
}

/** What the legs of a jetton say about its buckets, whatever is stored. Every leg of a bucket must be added. */
export class ExpectedBuckets {
  readonly #buckets: Readonly<Record<Grain, Map<number, Expected>>> = {
    minute: new Map(),
    hour: new Map(),
    day: new Map(),
  };

  add(leg: LegRow): void {
    for (const grain of ['minute', 'hour', 'day'] as const) {
      const start = leg.minute_s - (leg.minute_s % grainSeconds[grain]);
      const bucket = this.#buckets[grain].get(start) ?? { legs: 0, version: 0n, sums: new NaiveSums() };
      this.#buckets[grain].set(start, bucket);
      bucket.legs += 1;
      bucket.version += BigInt(leg.version);
      bucket.sums.add(leg);
    }
  }

  /**
   * Compares the buckets of a grain with the stored ones. `from` and `to` bound what was read of both: an hour or day
   * that is not wholly inside is left out. `minutes` are the stored minutes.
   */
  check(
    grain: Grain,
    stored: readonly StoredBucket[],
    minutes: readonly StoredBucket[],
    { from, to }: { readonly from: number; readonly to: number },
  ): CheckedBucket[] {
    const seconds = grainSeconds[grain];
    const rows = new Map(stored.map((row) => [row.bucket_s, row]));
    const starts = new Set([...this.#buckets[grain].keys(), ...rows.keys()]);
    const whole = [...starts].filter((start) => start >= from && start + seconds <= to).sort((a, b) => a - b);
    const minuteSums = new Map<number, bigint>();
    for (const { bucket_s: minute, bucket_version: version } of minutes) {
      const start = minute - (minute % seconds);
      minuteSums.set(start, ((minuteSums.get(start) ?? 0n) + version) % modulus);
    }
    return whole.map((start) => {
      const expected = this.#buckets[grain].get(start);
      const row = rows.get(start);
      const isMinute = grain === 'minute';
      const version = row === undefined ? undefined : isMinute ? row.bucket_version & lowMask : row.bucket_version;
      const expectedVersion = isMinute ? (expected?.version ?? 0n) : (minuteSums.get(start) ?? 0n);
      return {
        grain,
        start: formatInstant(start),
        legs: expected?.legs ?? 0,
        version: version?.toString() ?? null,
        epoch: row !== undefined && isMinute ? (row.bucket_version >> epochBits).toString() : null,
        expectedVersion: expectedVersion.toString(),
        state: stateOf(row, version, expectedVersion, expected),
      };
    });
  }
}

function stateOf(
  row: StoredBucket | undefined,
  version: bigint | undefined,
  expectedVersion: bigint,
  expected: Expected | undefined,
): BucketState {
  if (row === undefined) return 'missing';
  if (version !== expectedVersion) return 'stale';
  return expected !== undefined && sameSums(row.sums, expected.sums.texts) ? 'ok' : 'wrong';
}

/** Whether a bucket is not as it must be. */
export const isFault = ({ grain, state }: CheckedBucket): boolean =>
  grain === 'minute' ? state !== 'ok' : state === 'wrong';
