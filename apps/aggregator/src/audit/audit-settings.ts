import { integerSetting } from '@jetton-analytics/service/process';

/** Settings of the audit that runs all the time. */
export const auditSettings = {
  AUDIT_BUCKETS_PER_MINUTE: integerSetting(0, 60_000)
    .prefault('60')
    .describe('closed buckets that the leader recomputes from the ledger and compares each minute; 0: none'),
};
