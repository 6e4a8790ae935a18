import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { KafkaLogger } from '@jetton-analytics/kafka';
import {
  auditableRange,
  auditBuckets,
  type AuditedBucket,
  type AuditPrices,
  drawBuckets,
  isSuspect,
} from '@jetton-analytics/rollups';
import type { AuditMetrics } from './audit-metrics.js';

export interface BucketAuditOptions {
  readonly store: ClickHouseReader;
  readonly prices: AuditPrices;
  /** Draws of one round. */
  readonly draws: number;
  /** How long a bucket that is behind may take to come up. */
  readonly settleMs: number;
  readonly metrics: Pick<AuditMetrics, 'audited' | 'mismatch'>;
  readonly logger: KafkaLogger;
  readonly random: () => number;
  /** Monotonic, ms. */
  readonly elapsedMs: () => number;
}

const suspectsMax = 1_000;
const toldMax = 10_000;

const keyOf = ({ grain, kind, start, jetton, pool }: AuditedBucket) => `${grain}|${kind}|${start}|${jetton}|${pool}`;

/**
 * Recomputes random closed buckets from the ledger, round by round. What is behind counts as a mismatch once it has stayed
 * so for `settleMs`, since a trade is in the ledger a moment before it is in its buckets, and longer where an aggregator
 * was killed in between; the right version with other figures counts at once. Each bucket is told once.
 */
export class BucketAudit {
  readonly #suspects = new Map<string, { readonly bucket: AuditedBucket; readonly sinceMs: number }>();
  readonly #told = new Set<string>();

  constructor(private readonly options: BucketAuditOptions) {}

  /** One round. Throws what the store throws. */
  async round(): Promise<void> {
    const { store, draws, prices, random, metrics } = this.options;
    const range = await auditableRange(store);
    if (range === undefined) return;
    const drawn = await drawBuckets(store, { ...range, count: draws }, random);
    const options = { prices, closedBefore: range.to };
    const audited = await auditBuckets(store, drawn, options);
    metrics.audited(audited);
    const again = [...this.#suspects.values()].map(({ bucket }) => bucket);
    const named = again.map(({ start, jetton, pool }) => ({ minute: start, jetton, pool }));
    const looked = new Map((await auditBuckets(store, named, options)).map((bucket) => [keyOf(bucket), bucket]));
    // A copy: what is still behind is put back while this goes on.
    const before = [...this.#suspects];
    for (const [key, { sinceMs }] of before) {
      const bucket = looked.get(key);
      this.#suspects.delete(key);
      if (bucket !== undefined && isSuspect(bucket)) this.#suspect(bucket, sinceMs);
    }
    for (const bucket of audited) if (isSuspect(bucket)) this.#suspect(bucket, this.options.elapsedMs());
  }

  #suspect(bucket: AuditedBucket, sinceMs: number): void {
    const key = keyOf(bucket);
    if (this.#told.has(key) || this.#suspects.has(key)) return;
    const { elapsedMs, settleMs, metrics, logger } = this.options;
    if (bucket.state !== 'wrong' && elapsedMs() - sinceMs < settleMs) {
      if (this.#suspects.size < suspectsMax) this.#suspects.set(key, { bucket, sinceMs });
      return;
    }
    if (this.#told.size < toldMax) this.#told.add(key);
    metrics.mismatch(bucket);
    logger.error({ bucket }, 'a bucket is not what the ledger says');
  }
}
