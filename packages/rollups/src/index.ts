export {
  auditableRange,
  auditBuckets,
  type AuditedBucket,
  type AuditPrices,
  type AuditState,
  drawBuckets,
  type DrawnBucket,
  isSuspect,
} from './audit.js';
export {
  bucketCounterparts,
  counterpartArray,
  counterpartFigures,
  figureColumns,
  mergedFigures,
  priceFigures,
  tradeFigures,
} from './bucket-figures.js';
export { type BucketVersion, bucketVersions } from './bucket-versions.query.js';
export { type Coverage, coverRange, daySeconds, hourSeconds, rowsOf, staleBuckets } from './coverage.js';
export { EpochGuard } from './epoch-guard.js';
export { FinishedRebuilds } from './finished-rebuilds.js';
export { materialiseClosed } from './materialise-closed.js';
export { recomputeJettonMinutes, recomputePoolMinutes } from './minute-rollups.command.js';
export {
  planRebuild,
  rebuild,
  type Rebuilt,
  type RebuildOptions,
  type RebuildPlan,
  type RebuildRange,
} from './rebuild.js';
export { seededRandom } from './seeded-random.js';
export { expectedTopics, feedTopicSettings, publicationSettings, watermarkSettings } from './topic-settings.js';
