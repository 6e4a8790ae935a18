export { type FollowRollupsOptions, followRollups, type RollupSubscription } from './follow-rollups.js';
export { type InvalidRollup, type KeyedRollup, readRollup } from './read-record.js';
export { RollupTable, sortableRevision } from './rollup-table.js';
