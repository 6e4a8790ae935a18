import { createShareGuard, type Fault, type ShareGuard } from '@jetton-analytics/feed';
import {
  type ConsumedBatch,
  type ConsumedMessage,
  type DeadLetter,
  type DeadLetters,
  FatalConsumerError,
} from '@jetton-analytics/kafka';

export interface BadMessagesOptions {
  readonly deadLetters: DeadLetters;
  /** Share of bad messages that stops consumption. */
  readonly badShareMax: number;
}

const stage = 'validate';

/** What becomes of the messages of a feed topic that cannot be used: dead letters first, and an end when there are many. */
export class BadMessages {
  /** Of each topic, over those of its partitions that this process reads. */
  readonly #guards = new Map<string, ShareGuard>();
  /** The last offset counted of each partition. */
  readonly #counted = new Map<string, bigint>();

  constructor(private readonly options: BadMessagesOptions) {}

  /** Whether a message is seen for the first time: its batch may be tried more than once. */
  isFirst({ topic, partition }: ConsumedBatch, { offset }: ConsumedMessage): boolean {
    const key = `${topic}|${partition}`;
    if (BigInt(offset) <= (this.#counted.get(key) ?? -1n)) return false;
    this.#counted.set(key, BigInt(offset));
    return true;
  }

  /** Takes a message into account. Throws FatalConsumerError when too many of the topic's last messages are bad. */
  judge(
    { topic, partition }: ConsumedBatch,
    { offset }: ConsumedMessage,
    outcome: Parameters<ShareGuard['record']>[0],
  ): void {
    const guard = this.#guards.get(topic) ?? createShareGuard({ shareMax: this.options.badShareMax });
    this.#guards.set(topic, guard);
    const { tripped, share } = guard.record(outcome);
    if (!tripped) return;
    throw new FatalConsumerError(
      `${topic}, partition ${partition}, offset ${offset}: ${Math.round(share * 100)} % of the last 1,000 messages are ` +
        'bad; the feed may have changed its shape. Consumption stops instead of moving everything to the dead letters.',
    );
  }

  /**
   * Resolves once every letter of a batch is acknowledged. Throws StaleGenerationError, and FatalConsumerError where the
   * dead letters cannot be written: nothing is dropped.
   */
  async send(batch: ConsumedBatch, letters: readonly DeadLetter[]): Promise<void> {
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

/** The dead letter of a message: where it was read and what is wrong with it. */
export function letterOf(batch: ConsumedBatch, message: ConsumedMessage, fault: Fault): DeadLetter {
  const { topic, partition } = batch;
  const { offset, timestamp, key, value, headers } = message;
  const detail = fault.field === undefined ? fault.detail : `${fault.field}: ${fault.detail}`;
  return { topic, partition, offset, timestamp, key, value, headers, stage, reason: fault.reason, detail };
}
