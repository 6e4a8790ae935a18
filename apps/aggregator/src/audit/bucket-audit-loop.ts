import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { GenerationToken, KafkaLogger } from '@jetton-analytics/kafka';
import type { AuditPrices } from '@jetton-analytics/rollups';
import { LeaderLoop } from '../publication/leader-loop.js';
import type { AuditMetrics } from './audit-metrics.js';
import { BucketAudit } from './bucket-audit.js';

export interface BucketAuditLoopOptions {
  readonly store: ClickHouseReader;
  readonly prices: AuditPrices;
  /** 0: nothing is audited. */
  readonly bucketsPerMinute: number;
  readonly metrics: AuditMetrics;
  readonly logger: KafkaLogger;
}

const periodMs = 10_000;
/** Longer than another instance's session and the redelivery of its batch after a kill. */
const settleMs = 120_000;

/** Audits buckets all the time while this process leads, at a low rate. */
export class BucketAuditLoop {
  #loop: LeaderLoop | undefined;

  constructor(private readonly options: BucketAuditLoopOptions) {}

  /** This process leads from now on. */
  lead(generation: GenerationToken): void {
    void this.resign();
    const { bucketsPerMinute, store, prices, metrics, logger } = this.options;
    if (bucketsPerMinute === 0) return;
    // A rate below one draw per round makes rounds rarer.
    const draws = Math.max(1, Math.round((bucketsPerMinute * periodMs) / 60_000));
    const audit = new BucketAudit({
      store,
      prices,
      draws,
      settleMs,
      metrics,
      logger,
      random: Math.random,
      elapsedMs: () => performance.now(),
    });
    this.#loop = new LeaderLoop(
      {
        periodMs: Math.max(periodMs, 60_000 / bucketsPerMinute),
        isPeriodic: true,
        work: () => audit.round(),
        onError: (error) => {
          metrics.failed();
          logger.warn({ err: error }, 'buckets could not be audited; trying again');
        },
      },
      () => generation.assertCurrent(),
    );
  }

  /** This process leads no more. Resolves when what is under way is done. */
  async resign(): Promise<void> {
    const loop = this.#loop;
    this.#loop = undefined;
    await loop?.stop();
  }
}
