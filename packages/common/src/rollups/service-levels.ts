import type { RollupDataset } from './datasets.js';

/** What readers of a topic may count on. */
export interface ServiceLevel {
  /** How far a record may be behind the trade it counts, while the aggregator keeps up with the feed. */
  readonly freshness: string;
  readonly retention: string;
  readonly ordering: string;
  readonly replay: string;
}

const ordering =
  'All records of a jetton lie in one partition (first 32 bits of its account id, modulo the partitions). Of one key the ' +
  'last record is the newest, but for the seconds in which a writer that had stalled is corrected: take the greater revision. ' +
  'No order between keys.';
const replay =
  'At least once. Reading from the beginning at any time gives the newest record of every key that is kept; applying ' +
  'records twice, late or in another order gives the same state.';
const minutes: ServiceLevel = {
  freshness:
    'Published before the offsets of its trades are committed: 2 s at the 95th percentile after a trade is consumed.',
  retention: 'Newest record per key, 2 days. Older minutes are in the hours and days.',
  ordering,
  replay,
};
const coarse: ServiceLevel = {
  freshness: '15 s: at most one record of a bucket in 10 s; one more when the bucket has ended.',
  retention: 'Newest record per key, for ever.',
  ordering,
  replay,
};

export const rollupServiceLevels: Readonly<Record<RollupDataset, ServiceLevel>> = {
  jettonMinute: minutes,
  jettonHour: coarse,
  jettonDay: coarse,
  poolMinute: minutes,
  statistics: {
    freshness:
      'Within 2 s after a snapshot is published, where its figures changed; while many change at once (a new leader) the ' +
      'newest snapshot is published next and those between are left out.',
    retention: 'Newest record per key, for ever.',
    ordering,
    replay,
  },
};
