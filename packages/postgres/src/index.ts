export { AccessError, type AccessErrorCode } from './access/access-error.js';
export { ApiKeyChange } from './access/api-key-change.entity.js';
export { ApiKey } from './access/api-key.entity.js';
export { isKeyText, keyHashOf } from './access/key-text.js';
export {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  type ChangedBy,
  type IssuedKey,
  type NewKey,
} from './access/keys.js';
export { PlanChange } from './access/plan-change.entity.js';
export { Plan } from './access/plan.entity.js';
export { listPlans, setPlan, type PlanSetting } from './access/plans.js';
export { publicPlan, type PlanLimits } from './access/public-plan.js';
export {
  findKey,
  keysChangedAfter,
  newestKeyChange,
  noteKeyUses,
  plansChangedAfter,
  type KeyAccess,
} from './access/read-access.js';
export { createDataSource, type DataSourceOptions } from './data-source.js';
export { FxRateChange } from './fx-rate-change.entity.js';
export { FxRate } from './fx-rate.entity.js';
export { JettonLabelChange } from './jetton-label-change.entity.js';
export { JettonLabel } from './jetton-label.entity.js';
export { JettonMetadataMessage } from './jetton-metadata-message.entity.js';
export { JettonMetadata, type JettonMetadataLink } from './jetton-metadata.entity.js';
export { migrate } from './migrate.js';
export { BackfillFile } from './operations/backfill-file.entity.js';
export { DeadLetterRedrive } from './operations/dead-letter-redrive.entity.js';
export { journaled, type JournalEntry, listChanges } from './operations/journal.js';
export { OperatorChange } from './operations/operator-change.entity.js';
export { missingMigrations } from './schema.js';
export { postgresSettings } from './settings.js';
