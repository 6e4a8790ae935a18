import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { bucketRows } from './bucket-records.js';
import { minutesToPublish } from './bucket-rows.query.js';
import { type BucketPublication, publishBuckets } from './publish-buckets.js';

/** Minutes that a batch of one partition touched; they are named in touched_buckets_v1 by partition and last offset. */
export interface TouchedMinutes {
  readonly partition: number;
  readonly lastOffset: string;
  readonly legs: readonly { readonly minute: number }[];
  /** Throws once the partition belongs to somebody else. */
  assertOwned(): void;
}

interface Waiting {
  readonly batch: TouchedMinutes;
  readonly settle: PromiseWithResolvers<void>;
}

/** A single batch may have more. */
const legsPerRoundMax = 20_000;

const datasets = { jetton: 'jettonMinute', pool: 'poolMinute' } as const;

/**
 * Publishes the minute buckets of batches whose rollups are acknowledged. Batches that wait at the same moment share a
 * round; what waits is bounded by the consumer: one batch per partition.
 */
export class PublishMinutes {
  #waiting: Waiting[] = [];
  #isWorking = false;

  constructor(
    private readonly store: ClickHouseReader,
    private readonly publication: BucketPublication,
  ) {}

  /**
   * Resolves when all buckets of the batch are acknowledged in their topics, at the versions the tables have then.
   * Throws StaleGenerationError before anything is sent, and what the store and the producer throw, to be tried again.
   */
  publish(batch: TouchedMinutes): Promise<void> {
    if (batch.legs.length === 0) return Promise.resolve();
    const settle = Promise.withResolvers<void>();
    this.#waiting.push({ batch, settle });
    void this.#work();
    return settle.promise;
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.#waiting.length > 0) {
        // The batches of one round of writing come one after the other.
        await nextTurn();
        await this.#settle(this.#nextRound());
      }
    } finally {
      this.#isWorking = false;
    }
  }

  #nextRound(): Waiting[] {
    let legs = 0;
    const end = this.#waiting.findIndex(({ batch }, index) => {
      legs += batch.legs.length;
      return index > 0 && legs > legsPerRoundMax;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #settle(round: readonly Waiting[]): Promise<void> {
    const owned = round.filter(({ batch, settle }) => {
      try {
        batch.assertOwned();
        return true;
      } catch (error) {
        settle.reject(error);
        return false;
      }
    });
    try {
      if (owned.length > 0) await this.#publishRound(owned.map(({ batch }) => batch));
      for (const { settle } of owned) settle.resolve();
    } catch (error) {
      for (const { settle } of owned) settle.reject(error);
    }
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
