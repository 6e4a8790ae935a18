import { type Assets, type LedgerTrade, legsOf, parseTradeMessage, type TradeOutcome } from '@jetton-analytics/feed';
import { tradeDelaySeconds } from '@jetton-analytics/figures';
import { type ConsumedBatch, type ConsumedMessage, type DeadLetter, type DeadLetters } from '@jetton-analytics/kafka';
import { BadMessages, letterOf } from '../inputs/bad-messages.js';
import type { RollupPublication } from '../publication/rollup-publication.js';
import type { BatchProgress } from '../watermarks/partition-progress.js';
import { ContentConflicts } from './content-conflicts.js';
import type { TradeMetrics } from './trade-metrics.js';
import type { TradeWriter } from './trade-writer.js';

export interface IngestOptions {
  readonly assets: Assets;
  readonly deadLetters: DeadLetters;
  readonly writer: TradeWriter;
  readonly metrics: TradeMetrics;
  /** Share of bad messages that stops consumption. */
  readonly badShareMax: number;
  /** Publishes the minutes that a batch touched; undefined: they are not published. */
  readonly publication?: Pick<RollupPublication, 'publishMinutes'> | undefined;
  /** Event times (Unix seconds) before this are too late; undefined: none is. */
  tooLateBefore(): number | undefined;
}

const identitiesMax = 200_000;
const behindMessagesMin = 2_000n;

/**
 * Takes batches of the trades topic to the ledger: bad messages to the dead letters and good ones to the ledger and its
 * minute rollups, all acknowledged before it returns. Safe to repeat with the same or other bounds.
 */
export class IngestTrades {
  readonly #conflicts = new ContentConflicts(identitiesMax);
  readonly #bad: BadMessages;

  constructor(private readonly options: IngestOptions) {
    this.#bad = new BadMessages(options);
  }

  /**
   * Returns what the partition's watermark has to know of the batch.
   * Throws FatalConsumerError when too many messages are bad or the dead letters are away; StaleGenerationError; and what
   * the store throws, to be tried again.
   */
  async ingest(batch: ConsumedBatch): Promise<BatchProgress> {
    const { assets, metrics } = this.options;
    const trades: LedgerTrade[] = [];
    const letters: DeadLetter[] = [];
    const earliest = this.options.tooLateBefore();
    for (const message of batch.messages) {
      const outcome = this.#outcome(message, earliest);
      if (outcome.kind === 'trade') trades.push(outcome.trade);
      else if (outcome.kind === 'fault') letters.push(letterOf(batch, message, outcome));
      if (!this.#bad.isFirst(batch, message)) continue;
      metrics.outcome(outcome);
      this.#bad.judge(batch, message, outcome);
    }
    await this.#bad.send(batch, letters);
    const legs = trades.flatMap((trade) => legsOf(trade, assets));
    const written = {
      partition: batch.partition,
      lastOffset: batch.lastOffset,
      legs,
      isBehind: BigInt(batch.highWatermark) - BigInt(batch.lastOffset) > behindMessagesMin,
      assertOwned: () => batch.generation.assertCurrent(),
    };
    await this.options.writer.write(written);
    await this.options.publication?.publishMinutes(written);
    for (const trade of trades) if (this.#conflicts.record(trade)) metrics.contentConflict();
    return progressOf(trades);
  }

  #outcome({ value, timestamp }: ConsumedMessage, earliest: number | undefined): TradeOutcome {
    const outcome = parseTradeMessage({ value, timestampMs: timestamp }, this.options.assets);
    if (outcome.kind !== 'trade' || earliest === undefined || outcome.trade.eventTime >= earliest) return outcome;
    return { kind: 'fault', reason: 'too_late', field: 'event_time', detail: 'older than the ledger keeps' };
  }
}

function progressOf(trades: readonly LedgerTrade[]): BatchProgress {
  let maxEventTime: number | null = null;
  const delays = new Map<number, Map<number, number>>();
  for (const { eventTime, recordTimestampMs } of trades) {
    if (maxEventTime === null || eventTime > maxEventTime) maxEventTime = eventTime;
    const delay = tradeDelaySeconds(recordTimestampMs, eventTime);
    if (delay === undefined) continue;
    const seconds = Math.floor(recordTimestampMs / 1_000);
    const minute = seconds - (seconds % 60);
    const counts = delays.get(minute) ?? new Map<number, number>();
    counts.set(delay, (counts.get(delay) ?? 0) + 1);
    delays.set(minute, counts);
  }
  return { maxEventTime, delays };
}
