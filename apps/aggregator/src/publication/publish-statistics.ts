import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { Step } from '@jetton-analytics/figures';
import type { ProducedRecord } from '@jetton-analytics/kafka';
import { type NewestMarker, newestMarkers, statisticsNamed, statisticsToPublish } from './statistics.query.js';
import { statisticsRecords } from './statistics-records.js';

export interface StatisticsPublication {
  /** Resolves once the records are acknowledged by all in-sync replicas. */
  send(records: readonly ProducedRecord[]): Promise<void>;
  partitions(): number;
  /** The injected clock, ms since 1970. */
  nowMs(): number;
}

const rowsMax = 2_000;
/** Whoever leads for less than one pass leaves the rest to his successor, who publishes everything anyway. */
const termsMax = 5;

/**
 * Publishes the rows of published snapshots, of each step those beyond what was published last. The first snapshot of a
 * term is full, so a new leader publishes every jetton. Snapshots that follow each other faster than they can be
 * published are published as one.
 */
export class PublishStatistics {
  readonly #published = new Map<Step, { readonly term: number; readonly version: bigint }>();

  constructor(
    private readonly store: ClickHouseReader,
    private readonly publication: StatisticsPublication,
  ) {}

  /**
   * Publishes up to the newest markers. Where a new term has begun meanwhile, its rows follow, whoever leads by then: ours
   * may have come behind those of the new leader. Throws what the store and the producer throw; then it is to be repeated.
   * `assertLeading` throws once somebody else leads; it is asked before anything is sent.
   */
  async publish(assertLeading: () => void): Promise<number> {
    let records = 0;
    let markers = await this.store.query(newestMarkers, {});
    for (let terms = 0; terms < termsMax; terms += 1) {
      assertLeading();
      for (const marker of markers) records += await this.#publishStep(marker);
      const newest = await this.store.query(newestMarkers, {});
      if (newest[0]?.term === markers[0]?.term) return records;
      // Rather once too often than not at all: nobody else may know that ours was the last record.
      assertLeading = () => undefined;
      markers = newest;
    }
    throw new Error(`${termsMax} terms of leadership began while statistics were published`);
  }

  /** Publishes the newest rows of some jettons once more, whether or not they were published. Throws as above. */
  async publishAgain(jettons: readonly string[]): Promise<void> {
    for (const { term, step, newest_version: upTo, as_of_s: asOf } of await this.store.query(newestMarkers, {})) {
      const rows = await this.store.binary(statisticsNamed, { term, step, upTo, jettons: [...jettons] });
      const context = { step, asOf, nowMs: this.publication.nowMs(), partitions: this.publication.partitions() };
      const { records } = statisticsRecords(rows, context);
      if (records.length > 0) await this.publication.send(records);
    }
  }

  async #publishStep({ term, step, newest_version: upTo, as_of_s: asOf }: NewestMarker): Promise<number> {
    const last = this.#published.get(step);
    const after = last?.term === term ? last.version : 0n;
    if (upTo <= after) return 0;
    let sent = 0;
    for (let afterJetton = ''; ;) {
      const rows = await this.store.binary(statisticsToPublish, { term, step, after, upTo, afterJetton, rowsMax });
      const context = { step, asOf, nowMs: this.publication.nowMs(), partitions: this.publication.partitions() };
      const { records, lastJetton } = statisticsRecords(rows, context);
      if (records.length > 0) await this.publication.send(records);
      sent += records.length;
      if (records.length < rowsMax) break;
      afterJetton = lastJetton;
    }
    this.#published.set(step, { term, version: upTo });
    return sent;
  }
}
