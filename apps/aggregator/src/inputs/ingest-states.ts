import {
  createShareGuard,
  type Fault,
  type FeedMessage,
  type ShareGuard,
  type StateMessage,
  type StateOutcome,
} from '@jetton-analytics/feed';
import {
  type ConsumedBatch,
  type ConsumedMessage,
  type DeadLetter,
  type DeadLetters,
  FatalConsumerError,
} from '@jetton-analytics/kafka';
import type { BatchProgress } from '../watermarks/partition-progress.js';
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

const stage = 'validate';
const noDelays: BatchProgress['delays'] = new Map();

/**
 * Takes batches of one state topic to its store: bad messages to the dead letters first, then what the good ones say,
 * all acknowledged before it returns. Safe to repeat with the same or other bounds.
 */
export class IngestStates<State extends StateMessage> {
  /** Over those partitions of the topic that this process reads. */
  readonly #guard: ShareGuard;
  /** The last offset counted of each partition. */
  readonly #counted = new Map<number, bigint>();

  constructor(private readonly options: IngestStatesOptions<State>) {
    this.#guard = createShareGuard({ shareMax: options.badShareMax });
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
      this.#count(batch, message, outcome);
    }
    await this.#sendLetters(batch, letters);
    if (states.length > 0) {
      const startedMs = performance.now();
      await writer.write(states, () => batch.generation.assertCurrent());
      metrics.wrote(input, performance.now() - startedMs);
    }
    const newest = states.reduce((greatest, state) => Math.max(greatest, this.options.eventTimeOf(state)), 0);
    return { maxEventTime: newest === 0 ? null : newest, delays: noDelays };
  }

  /** Counts a message once, however often its batch is tried. */
  #count({ topic, partition }: ConsumedBatch, { offset }: ConsumedMessage, outcome: StateOutcome<State>): void {
    if (BigInt(offset) <= (this.#counted.get(partition) ?? -1n)) return;
    this.#counted.set(partition, BigInt(offset));
    this.options.metrics.outcome(this.options.input, outcome);
    const { tripped, share: bad } = this.#guard.record(outcome);
    if (!tripped) return;
    throw new FatalConsumerError(
      `${topic}, partition ${partition}, offset ${offset}: ${Math.round(bad * 100)} % of the last 1,000 messages are ` +
        'bad; the feed may have changed its shape. Consumption stops instead of moving everything to the dead letters.',
    );
  }

  async #sendLetters(batch: ConsumedBatch, letters: readonly DeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    batch.generation.assertCurrent();
    try {
      await this.options.deadLetters.send(letters);
    } catch (error) {
      throw new FatalConsumerError(`the dead letters of ${batch.topic} cannot be written; nothing is dropped`, {
        cause: error,
      });
    }
  }
}

function letterOf(batch: ConsumedBatch, message: ConsumedMessage, fault: Fault): DeadLetter {
  const { topic, partition } = batch;
  const { offset, timestamp, key, value, headers } = message;
  const detail = fault.field === undefined ? fault.detail : `${fault.field}: ${fault.detail}`;
  return { topic, partition, offset, timestamp, key, value, headers, stage, reason: fault.reason, detail };
}
