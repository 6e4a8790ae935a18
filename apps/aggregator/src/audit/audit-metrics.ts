import type { RollupDataset } from '@jetton-analytics/common';
import type { AuditedBucket } from '@jetton-analytics/rollups';
import { Counter, type Registry } from 'prom-client';

const grains = ['minute', 'hour', 'day'] as const;

/** What the audit tells Prometheus. Labels are closed sets; mismatches are there, as 0, from the start. */
export class AuditMetrics {
  readonly #audited: Counter<'grain'>;
  readonly #mismatches: Counter<'grain'>;
  readonly #read: Counter<'dataset'>;
  readonly #republished: Counter<'dataset'>;
  readonly #failures: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#audited = new Counter({
      name: 'audit_buckets_total',
      help: 'Buckets recomputed and compared',
      labelNames: ['grain'],
      registers,
    });
    this.#mismatches = new Counter({
      name: 'audit_mismatches_total',
      help: 'Buckets that are not what the ledger says; must stay 0',
      labelNames: ['grain'],
      registers,
    });
    for (const grain of grains) this.#mismatches.inc({ grain }, 0);
    this.#read = new Counter({
      name: 'rollup_audit_records_total',
      help: 'Records of the rollup topics that were compared with their tables',
      labelNames: ['dataset'],
      registers,
    });
    this.#republished = new Counter({
      name: 'rollup_audit_republished_total',
      help: 'Keys published again since their last record was behind the table',
      labelNames: ['dataset'],
      registers,
    });
    this.#failures = new Counter({
      name: 'audit_failures_total',
      help: 'Rounds of the audit that failed and are tried again',
      registers,
    });
  }

  audited(buckets: readonly AuditedBucket[]): void {
    for (const { grain } of buckets) this.#audited.inc({ grain });
  }

  mismatch({ grain }: AuditedBucket): void {
    this.#mismatches.inc({ grain });
  }

  recordsRead(dataset: RollupDataset, records: number): void {
    this.#read.inc({ dataset }, records);
  }

  republished(dataset: RollupDataset, keys: number): void {
    this.#republished.inc({ dataset }, keys);
  }

  failed(): void {
    this.#failures.inc();
  }
}
