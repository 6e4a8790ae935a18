/** A setting that is missing or contradicts another; `setting` is the name of the environment variable to change. */
export class KafkaSettingsError extends Error {
  override readonly name = 'KafkaSettingsError';
  constructor(
    readonly setting: string,
    readonly expected: string,
  ) {
    super(`${setting}: ${expected}`);
  }
}

/**
 * Thrown by a batch handler (or by this package) when consuming on would lose or distort data: the consumer stops, the
 * offsets stay where they are and `onCrash` is called. Never retried.
 */
export class FatalConsumerError extends Error {
  override readonly name: string = 'FatalConsumerError';
  /** Read by kafkajs: an error that says false is neither retried nor followed by a restart of the consumer. */
  readonly retriable = false;
}

/** The generation of the consumer group in which a batch was handed out is over: stop writing, commit nothing. */
export class StaleGenerationError extends Error {
  override readonly name = 'StaleGenerationError';
}

/** Something that had to be done within a bound was not. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  constructor(
    readonly what: string,
    readonly timeoutMs: number,
  ) {
    super(`${what} was not done within ${timeoutMs} ms`);
  }
}

/** A topic that is not as the specification wants it and that must not be altered silently. */
export class TopicMismatchError extends Error {
  override readonly name = 'TopicMismatchError';
}

/**
 * A record batch on the broker that cannot be read: its checksum is wrong, its codec unknown, its content broken.
 * `offset` is the base offset of that record batch; `extent` is what its header, which may be broken too, says of it.
 */
export class UndecodableBatchError extends FatalConsumerError {
  override readonly name = 'UndecodableBatchError';
  constructor(
    readonly topic: string,
    readonly partition: number,
    readonly offset: string,
    readonly reason: string,
    readonly extent: { readonly lastOffset: string; readonly timestampMs: number },
  ) {
    super(`the batch at offset ${offset} of ${topic}, partition ${partition}, cannot be decoded: ${reason}`);
  }
}

/** The error itself, or what caused it, that is a FatalConsumerError: kafkajs wraps what it passes on. */
export function fatalCauseOf(error: unknown): FatalConsumerError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FatalConsumerError) return cause;
  }
  return undefined;
}

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
