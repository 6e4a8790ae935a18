import { type Step, steps } from '@jetton-analytics/figures';
import { createLogger, loadSettings } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { z } from 'zod';
import { metadataEntry, MetadataRow } from '../src/metadata/metadata.query.js';
import { ReadModelTables } from '../src/read-model-tables.js';
import { ReadModel } from '../src/read-model.js';
import { readModelSettings } from '../src/settings.js';
import { StepBuild } from '../src/snapshots/step-table.js';
import { lsd, nativeAddress, otherLsd, otherStable, stable } from './pool-state.js';

export const standardHash = 'aa'.repeat(32);

/** Unknown in everything; the address of a row is to be given. */
const emptyRow = {
  ...Object.fromEntries(Object.keys(MetadataRow.shape).map((column) => [column, null])),
  earliest_record_s: '1600000000',
  change_number: '1',
};

/** A model without stores, filled by hand. */
export class ModelUnderTest {
  readonly tables: ReadModelTables;
  readonly model: ReadModel;
  readonly errors: string[] = [];
  #sequence = 0n;

  constructor(settings: Readonly<Record<string, string>> = {}) {
    const loaded = loadSettings(z.object(readModelSettings), {
      NATIVE_ADDRESSES: nativeAddress,
      STABLE_ADDRESSES: `${stable},${otherStable}`,
      LSD_ADDRESSES: `${lsd},${otherLsd}`,
      ...settings,
    });
    const destination = { write: (line: string) => void this.errors.push(line) };
    this.tables = new ReadModelTables(
      loaded,
      createLogger({ name: 'spec', level: 'info', format: 'json', destination }),
    );
    this.model = new ReadModel(this.tables, loaded);
    this.tables.deriver.start();
  }

  /** Publishes rows of a step: texts by jetton, null: no longer known; markets by `jetton|pool`. */
  publish(
    step: Step,
    calculatedAt: number,
    jettons: Readonly<Record<string, string | null>>,
    markets: Readonly<Record<string, string | null>> = {},
  ): void {
    this.#sequence += 1n;
    const { snapshots } = this.tables;
    const build = new StepBuild(1, snapshots.table(step));
    const row = (figures: string | null) => ({
      version: this.#sequence,
      known: figures !== null,
      figures: figures ?? '',
    });
    build.addJettons(Object.entries(jettons).map(([jetton, text]) => ({ jetton, ...row(text) })));
    build.addMarkets(
      Object.entries(markets).map(([key, text]) => {
        const [jetton = '', pool = ''] = key.split('|');
        return { jetton, pool, ...row(text) };
      }),
    );
    const marker = { term: 1, step, version: this.#sequence, calculatedAt, asOf: calculatedAt, inputPosition: '0' };
    snapshots.publish(step, build.publish(marker), build.touched);
  }

  /** An empty snapshot of every step. */
  begin(calculatedAt: number): void {
    for (const step of steps) this.publish(step, calculatedAt, {});
  }

  metadata(address: string, row: Partial<z.input<typeof MetadataRow>> = {}): void {
    const parsed = MetadataRow.parse({ ...emptyRow, ...row, address });
    this.tables.metadata.set(address, metadataEntry(parsed, new Set([standardHash])));
  }

  /** Waits until everything is derived. */
  async derived(): Promise<ReadModel> {
    const { deriver } = this.tables;
    await pollUntil(() => deriver.isIdle, { what: 'the derivation', intervalMs: 1 });
    return this.model;
  }
}
