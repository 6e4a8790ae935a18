import { activePlace, inSharedSpan } from '@jetton-analytics/tracing';

/** A batch of one partition, which may come to belong to somebody else while it waits. */
export interface OwnedBatch {
  /** Throws once the partition belongs to somebody else. */
  assertOwned(): void;
}

export interface RoundsOptions<Batch extends OwnedBatch> {
  /** Resolves when a round of what waits by then may begin. */
  gather(waiting: () => readonly Batch[]): Promise<void>;
  /** What a batch counts towards the most of a round; a single batch may be larger. Without it a round takes all. */
  readonly size?: { of(batch: Batch): number; readonly max: number };
  /** Does the work of one round. */
  run(batches: readonly Batch[]): Promise<void>;
}

interface Waiting<Batch> {
  readonly batch: Batch;
  readonly settle: PromiseWithResolvers<void>;
  /** Where the spans of its work belong. */
  readonly place: ReturnType<typeof activePlace>;
}

/**
 * Lets batches of several partitions that wait at the same moment share one piece of work, one after another. What waits
 * is bounded by the consumer: one batch per partition.
 */
export class Rounds<Batch extends OwnedBatch> {
  #waiting: Waiting<Batch>[] = [];
  #isWorking = false;

  constructor(private readonly options: RoundsOptions<Batch>) {}

  /** Resolves when the batch's round is done. Rejects with what `assertOwned` throws, before, or with what the round does. */
  take(batch: Batch): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.#waiting.push({ batch, settle, place: activePlace() });
    void this.#work();
    return settle.promise;
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.#waiting.length > 0) {
        await this.options.gather(() => this.#waiting.map(({ batch }) => batch));
        await this.#settle(this.#nextRound());
      }
    } finally {
      this.#isWorking = false;
    }
  }

  #nextRound(): Waiting<Batch>[] {
    const { size } = this.options;
    let sum = 0;
    const end = this.#waiting.findIndex(({ batch }, index) => {
      sum += size?.of(batch) ?? 0;
      return index > 0 && size !== undefined && sum > size.max;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #settle(round: readonly Waiting<Batch>[]): Promise<void> {
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
      const places = owned.map(({ place }) => place);
      const run = () => this.options.run(owned.map(({ batch }) => batch));
      if (owned.length > 0) await inSharedSpan('round', places, run);
      for (const { settle } of owned) settle.resolve();
    } catch (error) {
      // Whose partition it was not does it again: repeating changes nothing.
      for (const { settle } of owned) settle.reject(error);
    }
  }
}
