import { RollupDataset } from '@jetton-analytics/common';

export type QueryAppName = 'statistics' | 'metrics';

/** How much of everything a run of the fault suite does. */
export interface FaultOptions {
  readonly seed: number;
  /** Records to produce. */
  readonly events: number;
  /** Stops making faults when so many have been made of each kind … */
  readonly kills: number;
  readonly rebalances: number;
  readonly outages: number;
  /** … or after this time, whichever comes first; the rest of the events is produced then at once. */
  readonly seconds: number;
  readonly instances: number;
  readonly partitions: number;
  /** Deadline of one statement of an aggregator. */
  readonly statementMs: number;
  /** Times that the offsets are set back to the earliest. */
  readonly replays: number;
  /** Times that a stretch of the feed is rebuilt from the ledger by the operator's tool, while all goes on. */
  readonly rebuilds: number;
  /** Query apps that somebody asks all the time, through a gateway. */
  readonly queryApps: readonly QueryAppName[];
  /** Segments of the rollup topics are closed after this time, and then compacted at once. */
  readonly segmentMs: number;
  /** Datasets that a subscriber follows which starts when all is over. */
  readonly lateSubscribers: readonly RollupDataset[];
  /** How often each of these is killed at a random moment, and started again on its table. */
  readonly subscriberKills: number;
  /** How long all that is checked may take to be there after the faults. */
  readonly settleSeconds: number;
}

export const shortRun: Omit<FaultOptions, 'seed'> = {
  events: 5_000,
  kills: 12,
  rebalances: 2,
  outages: 3,
  seconds: 40,
  instances: 3,
  partitions: 6,
  statementMs: 6_000,
  replays: 1,
  rebuilds: 1,
  queryApps: ['statistics'],
  segmentMs: 3_000,
  lateSubscribers: ['jettonHour'],
  subscriberKills: 1,
  settleSeconds: 40,
};

/** All that a long run has of these. */
export const wholeRun = {
  rebuilds: 3,
  queryApps: ['statistics', 'metrics'],
  segmentMs: 10_000,
  lateSubscribers: RollupDataset.options,
  subscriberKills: 5,
} as const satisfies Partial<FaultOptions>;

/** Least silence that the broker grants a member, and so how soon a dead one is replaced. */
export const sessionTimeoutMs = 6_000;

/** Most memory of an aggregator: what the chart asks for it, half of its limit. */
export const residentBytesMax = 2 ** 30;

/** Of a run that is to find a mistake. */
export const biteRun: Omit<FaultOptions, 'seed'> = {
  ...shortRun,
  events: 2_000,
  kills: 3,
  rebalances: 1,
  outages: 0,
  seconds: 10,
  replays: 0,
  rebuilds: 0,
  queryApps: [],
  lateSubscribers: [],
  settleSeconds: 90,
};
