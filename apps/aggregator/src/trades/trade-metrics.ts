import type { TradeOutcome } from '@jetton-analytics/feed';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What the ingest of trades tells Prometheus. Label sets are closed: outcomes, reasons, parts of a round. */
export class TradeMetrics {
  readonly #messages: Counter<'outcome' | 'reason'>;
  readonly #conflicts: Counter;
  readonly #round: Histogram<'part'>;
  readonly #legs: Counter;
  readonly #gapRecords: Counter;
  readonly #retries: Counter;
  readonly #asOf: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#messages = new Counter({
      name: 'trade_messages_total',
      help: 'Messages of the trades topic by what came of them',
      labelNames: ['outcome', 'reason'],
      registers,
    });
    this.#conflicts = new Counter({
      name: 'trade_content_conflicts_total',
      help: 'Messages whose content differs from an earlier one of the same identity and revision',
      registers,
    });
    this.#legs = new Counter({ name: 'ledger_legs_total', help: 'Legs written to the ledger', registers });
    this.#round = new Histogram({
      name: 'ingest_round_seconds',
      help: 'Time of a round of writing, by part',
      labelNames: ['part'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
    this.#gapRecords = new Counter({
      name: 'feed_gap_records_total',
      help: 'Offsets that were gone before they were read',
      registers,
    });
    this.#retries = new Counter({ name: 'ingest_retries_total', help: 'Batches tried again', registers });
    this.#asOf = new Gauge({
      name: 'statistics_as_of_seconds',
      help: 'T of the newest calculation, Unix seconds; only the leader sets it',
      registers,
    });
  }

  outcome(outcome: TradeOutcome): void {
    this.#messages.inc({ outcome: outcome.kind, reason: outcome.kind === 'trade' ? '' : outcome.reason });
  }

  contentConflict(): void {
    this.#conflicts.inc();
  }

  round({ legs, ledgerMs, rollupsMs }: { legs: number; ledgerMs: number; rollupsMs: number }): void {
    this.#legs.inc(legs);
    this.#round.observe({ part: 'ledger' }, ledgerMs / 1_000);
    this.#round.observe({ part: 'rollups' }, rollupsMs / 1_000);
  }

  gap(records: bigint): void {
    // A counter holds 2^53; a gap beyond that is counted as that.
    this.#gapRecords.inc(Number(records < 0n ? 0n : records));
  }

  retry(): void {
    this.#retries.inc();
  }

  asOf(seconds: number): void {
    this.#asOf.set(seconds);
  }
}
