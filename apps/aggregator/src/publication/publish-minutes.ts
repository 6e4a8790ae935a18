import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { type OwnedBatch, Rounds } from '../inputs/rounds.js';
import { bucketRows } from './bucket-records.js';
import { minutesToPublish } from './bucket-rows.query.js';
import { type BucketPublication, publishBuckets } from './publish-buckets.js';

/** Minutes that a batch of one partition touched; they are named in touched_buckets_v1 by partition and last offset. */
export interface TouchedMinutes extends OwnedBatch {
  readonly partition: number;
  readonly lastOffset: string;
  readonly legs: readonly { readonly minute: number }[];
}

/** A single batch may have more. */
const legsPerRoundMax = 20_000;

const datasets = { jetton: 'jettonMinute', pool: 'poolMinute' } as const;

/** Publishes the minute buckets of batches whose rollups are acknowledged, those that wait together in one round. */
export class PublishMinutes {
  readonly #rounds: Rounds<TouchedMinutes>;

  constructor(
    private readonly store: ClickHouseReader,
    private readonly publication: BucketPublication,
  ) {
    this.#rounds = new Rounds({
      // The batches of one round of writing come one after the other.
      gather: () => nextTurn(),
      size: { of: ({ legs }) => legs.length, max: legsPerRoundMax },
      run: (batches) => this.#publishRound(batches),
    });
  }

  /**
   * Resolves when all buckets of the batch are acknowledged in their topics, at the versions the tables have then.
   * Throws StaleGenerationError before anything is sent, and what the store and the producer throw, to be tried again.
   */
  publish(batch: TouchedMinutes): Promise<void> {
    return batch.legs.length === 0 ? Promise.resolve() : this.#rounds.take(batch);
  }

  async #publishRound(batches: readonly TouchedMinutes[]): Promise<void> {
    let [fromMinute, toMinute] = [Number.MAX_SAFE_INTEGER, 0];
    for (const { legs } of batches) {
      for (const { minute } of legs) {
        if (minute < fromMinute) fromMinute = minute;
        if (minute > toMinute) toMinute = minute;
      }
    }
    const params = {
      partitions: batches.map(({ partition }) => partition),
      lastOffsets: batches.map(({ lastOffset }) => BigInt(lastOffset)),
      fromMinute,
      toMinute,
    };
    const outcomes = await Promise.allSettled(
      (['jetton', 'pool'] as const).map((kind) =>
        publishBuckets(
          {
            dataset: datasets[kind],
            read: async () => bucketRows(datasets[kind], await this.store.binary(minutesToPublish[kind].rows, params)),
            versionSum: async () =>
              (await this.store.query(minutesToPublish[kind].versions, params))[0]?.version_sum ?? 0n,
          },
          this.publication,
        ),
      ),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
