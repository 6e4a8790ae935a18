import { type FeedMessage, type StateMessage, type StateOutcome } from '@jetton-analytics/feed';
import { type ConsumedBatch, type DeadLetter, type DeadLetters } from '@jetton-analytics/kafka';
import type { BatchProgress } from '../watermarks/partition-progress.js';
import { BadMessages, letterOf } from './bad-messages.js';
import type { InputMetrics, StateInput } from './input-metrics.js';

export interface StateWriter<State> {
  /**
   * Resolves once everything that follows from the states is durable; repeating it changes nothing. `assertOwned` throws
   * once the partition belongs to somebody else, and is asked before each write.
   */
  write(states: readonly State[], assertOwned: () => void): Promise<void>;
}

export interface IngestStatesOptions<State extends StateMessage> {
  readonly input: StateInput;
  readonly deadLetters: DeadLetters;
  readonly metrics: InputMetrics;
  /** Share of bad messages that stops consumption. */
  readonly badShareMax: number;
  readonly writer: StateWriter<State>;
  parse(message: FeedMessage): StateOutcome<State>;
  /** Unix seconds that the state is of, 0 where it does not say. */
  eventTimeOf(state: State): number;
}

const noDelays: BatchProgress['delays'] = new Map();

/**
 * Takes batches of one state topic to its store: bad messages to the dead letters first, then what the good ones say,
 * all acknowledged before it returns. Safe to repeat with the same or other bounds.
 */
export class IngestStates<State extends StateMessage> {
  readonly #bad: BadMessages;

  constructor(private readonly options: IngestStatesOptions<State>) {
    this.#bad = new BadMessages(options);
  }

  /**
   * Returns what the partition's watermark has to know of the batch.
   * Throws FatalConsumerError when too many messages are bad or the dead letters are away; StaleGenerationError; and what
   * the store throws, to be tried again.
   */
  async ingest(batch: ConsumedBatch): Promise<BatchProgress> {
    const { input, metrics, writer } = this.options;
    const states: State[] = [];
    const letters: DeadLetter[] = [];
    for (const message of batch.messages) {
      const outcome = this.options.parse({ value: message.value, timestampMs: message.timestamp });
      if (outcome.kind === 'state') states.push(outcome.state);
      else if (outcome.kind === 'fault') letters.push(letterOf(batch, message, outcome));
      if (!this.#bad.isFirst(batch, message)) continue;
      metrics.outcome(input, outcome);
      this.#bad.judge(batch, message, outcome);
    }
    await this.#bad.send(batch, letters);
    if (states.length > 0) {
      const startedMs = performance.now();
      await writer.write(states, () => batch.generation.assertCurrent());
      metrics.wrote(input, performance.now() - startedMs);
    }
    const newest = states.reduce((greatest, state) => Math.max(greatest, this.options.eventTimeOf(state)), 0);
    return { maxEventTime: newest === 0 ? null : newest, delays: noDelays };
  }
}
