import type { RollupDataset } from '@jetton-analytics/common';
import { Counter, type Registry } from 'prom-client';

/** What the publication tells Prometheus. Labels are datasets only. */
export class PublicationMetrics {
  readonly #records: Counter<'dataset'>;
  readonly #again: Counter<'dataset'>;
  readonly #failures: Counter<'dataset'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['dataset'] as const;
    this.#records = new Counter({
      name: 'rollup_records_total',
      help: 'Records acknowledged in the rollup topics',
      labelNames,
      registers,
    });
    this.#again = new Counter({
      name: 'rollup_republished_buckets_total',
      help: 'Buckets published again since the table was newer once their record was acknowledged',
      labelNames,
      registers,
    });
    this.#failures = new Counter({
      name: 'rollup_publication_failures_total',
      help: 'Publications that failed and are tried again',
      labelNames,
      registers,
    });
  }

  sent(dataset: RollupDataset, records: number): void {
    this.#records.inc({ dataset }, records);
  }

  again(dataset: RollupDataset, buckets: number): void {
    this.#again.inc({ dataset }, buckets);
  }

  failed(dataset: RollupDataset): void {
    this.#failures.inc({ dataset });
  }
}
