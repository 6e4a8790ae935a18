import type { EachBatchPayload } from 'kafkajs';
import type { BatchLoopOptions } from './batch-server.options.js';
import { commitOffset } from './commit.js';
import { type ConsumedBatch, consumedMessage } from './consumed-batch.js';
import { backoffMs, pause } from './deadline.js';
import { asError, FatalConsumerError, StaleGenerationError } from './errors.js';
import type { Generation, Membership } from './generation.js';
import { type Heartbeats, keepBeating } from './heartbeats.js';
import type { OffsetGap, Positions } from './positions.js';
import type { SliceSize } from './slice-size.js';
import { inBatchSpan } from './spans.js';

type BatchHandler = (batch: ConsumedBatch) => Promise<void>;

export interface LoopContext {
  readonly handler: BatchHandler;
  readonly generation: Generation;
  readonly membership: Membership;
  readonly positions: Positions;
  /** Failed attempts in a row of each `topic/partition`. */
  readonly attempts: Map<string, number>;
  readonly sliceSize: SliceSize;
  readonly options: BatchLoopOptions;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

/**
 * Takes one fetched batch through the handler, slice by slice: handler done → offset committed → next slice. Returns
 * without having resolved the rest when the handler fails, and comes again after a pause; and when the generation ends or
 * the server closes: kafkajs's own next heartbeat finds the rebalance, and what is left comes again to whoever owns the
 * partition then.
 * @throws FatalConsumerError
 */
export async function processBatch(payload: EachBatchPayload, context: LoopContext): Promise<void> {
  const { batch } = payload;
  const { topic, partition } = batch;
  const { generation, membership, positions, sliceSize, options } = context;
  const firstOffset = batch.firstOffset() ?? batch.lastOffset();
  const { from, gap } = positions.arrived(topic, partition, firstOffset, batch.highWatermark);
  if (gap) reportGap(gap, options);
  const fresh =
    BigInt(firstOffset) < from ? batch.messages.filter(({ offset }) => BigInt(offset) >= from) : batch.messages;
  if (fresh.length === 0) {
    payload.resolveOffset((from - 1n).toString());
    return;
  }
  const heartbeats = keepBeating(
    () => payload.heartbeat(),
    generation,
    membership,
    options.heartbeatEveryMs,
    options.logger,
  );
  let undone = 0;
  try {
    for (let next = 0; next < fresh.length;) {
      if (!payload.isRunning() || payload.isStale() || !generation.isCurrent()) return;
      const part = fresh.slice(next, next + sliceSize.messages);
      next += part.length;
      undone = part.length;
      const startedMs = performance.now();
      const slice = toSlice(part.map(consumedMessage), payload, generation, heartbeats);
      const { lastOffset } = slice;
      options.onBatchStart?.({
        topic,
        partition,
        firstOffset: slice.firstOffset,
        firstTimestampMs: slice.messages[0]?.timestamp ?? -1,
      });
      if (!(await isDone(slice, payload, context))) return;
      // What compaction or a transaction left out behind the last message is consumed together with it.
      const consumed = lastOffset === batch.messages.at(-1)?.offset ? batch.lastOffset() : lastOffset;
      const nextOffset = (BigInt(consumed) + 1n).toString();
      await commitOffset(payload, nextOffset, generation, membership, options);
      // Lost while the answer was under way: the positions may be those of a later generation already.
      generation.assertCurrent();
      payload.resolveOffset(lastOffset);
      positions.advance(topic, partition, consumed);
      options.onBatchDone?.({ topic, partition, nextOffset });
      undone = 0;
      sliceSize.done(part.length, performance.now() - startedMs);
      await heartbeats.beat();
    }
    const isAtEnd = BigInt(batch.lastOffset()) + 1n >= BigInt(batch.highWatermark);
    const done = { topic, partition, messages: fresh.length, isAtEnd };
    await options.beforeNextFetch?.(done, AbortSignal.any([generation.signal, context.closing]));
  } catch (error) {
    if (!(error instanceof StaleGenerationError)) throw error;
    options.logger.info({ topic, partition }, 'the batch in hand is dropped: the generation is over');
  } finally {
    if (undone > 0) sliceSize.undone(undone);
    heartbeats.stop();
  }
}

function toSlice(
  messages: ConsumedBatch['messages'],
  { batch }: EachBatchPayload,
  generation: Generation,
  heartbeats: Heartbeats,
): ConsumedBatch {
  return {
    topic: batch.topic,
    partition: batch.partition,
    messages,
    firstOffset: messages[0]?.offset ?? batch.lastOffset(),
    lastOffset: messages.at(-1)?.offset ?? batch.lastOffset(),
    highWatermark: batch.highWatermark,
    generation,
    signal: generation.signal,
    heartbeat: () => heartbeats.beat(),
  };
}

/**
 * Calls the handler. Returns false where it failed and is to be tried again: the partition is paused for the backoff and
 * the batch comes again after it. Waiting here instead would keep kafkajs from fetching anything else of the broker until
 * this batch is done: one store away would hold up the topics of all others.
 * @throws StaleGenerationError, FatalConsumerError
 */
async function isDone(slice: ConsumedBatch, payload: EachBatchPayload, context: LoopContext): Promise<boolean> {
  const { handler, generation, attempts, options } = context;
  const { topic, partition, firstOffset, lastOffset } = slice;
  const key = `${topic}/${partition}`;
  if (!payload.isRunning()) throw new StaleGenerationError('the server closes');
  try {
    const work = inBatchSpan(slice, options.groupId, () => handler(slice));
    await orAbandoned(work, generation.signal, options.abandonAfterMs);
    generation.assertCurrent();
    attempts.delete(key);
    return true;
  } catch (error) {
    if (error instanceof StaleGenerationError || error instanceof FatalConsumerError) throw error;
    generation.assertCurrent();
    if (options.isFatal(error)) {
      const where = `${topic}, partition ${partition}, offsets ${firstOffset} to ${lastOffset}`;
      throw new FatalConsumerError(`${where}: ${asError(error).message}`, { cause: error });
    }
    const attempt = attempts.get(key) ?? 0;
    attempts.set(key, attempt + 1);
    const retryInMs = backoffMs(attempt, options.backoff, Math.random());
    options.onRetry?.({ topic, partition, attempt, error: asError(error), retryInMs });
    options.logger.warn(
      { topic, partition, firstOffset, lastOffset, attempt, retryInMs, err: error },
      'a batch failed and is tried again; its offset stays',
    );
    void resumeLater(payload.pause(), retryInMs, generation);
    return false;
  }
}

async function resumeLater(resume: () => void, afterMs: number, generation: Generation): Promise<void> {
  await pause(afterMs, generation.signal);
  // A later generation starts paused, until its positions are known.
  if (generation.isCurrent()) resume();
}

/**
 * The work's end; once the signal is aborted, for no longer than the bound. A handler that goes on after that would write
 * beside the next one of its partition, so the consumer does not live on with it.
 */
async function orAbandoned(work: Promise<void>, signal: AbortSignal, abandonAfterMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const abandoned = Promise.withResolvers<never>();
  const startTimer = () => {
    const message = `a batch handler went on for ${abandonAfterMs} ms after its generation had ended`;
    timer = setTimeout(() => abandoned.reject(new FatalConsumerError(message)), abandonAfterMs);
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener('abort', startTimer, { once: true });
  try {
    await Promise.race([work, abandoned.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', startTimer);
  }
}

export function reportGap(gap: OffsetGap, options: Pick<BatchLoopOptions, 'logger' | 'onGap'>): void {
  options.logger.warn({ ...gap }, gap.rewound ? 'the log was cut: consuming from its start' : 'offsets are gone');
  options.onGap?.(gap);
}
