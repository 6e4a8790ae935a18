import type { CountedOutcome } from '@jetton-analytics/feed';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Names of the state topics in metrics and handlers; the topics' real names are settings. */
export const stateInputs = ['pools', 'metadata', 'balances'] as const;
export type StateInput = (typeof stateInputs)[number];

/** What the state topics tell Prometheus. Label sets are closed: inputs, outcomes, reasons. */
export class InputMetrics {
  readonly #messages: Counter<'input' | 'outcome' | 'reason'>;
  readonly #write: Histogram<'input'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#messages = new Counter({
      name: 'state_messages_total',
      help: 'Messages of the state topics by what came of them',
      labelNames: ['input', 'outcome', 'reason'],
      registers,
    });
    this.#write = new Histogram({
      name: 'state_write_seconds',
      help: 'Time to write what a batch of a state topic says',
      labelNames: ['input'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
  }

  outcome(input: StateInput, outcome: CountedOutcome): void {
    this.#messages.inc({ input, outcome: outcome.kind, reason: 'reason' in outcome ? outcome.reason : '' });
  }

  wrote(input: StateInput, tookMs: number): void {
    this.#write.observe({ input }, tookMs / 1_000);
  }
}
