import { createAssets } from '@jetton-analytics/feed';
import { type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable } from '@nestjs/common';
import { Deriver } from './derive/deriver.js';
import { JettonRows } from './derive/jetton-rows.js';
import { FirstTradeTable } from './first-trades/first-trade-table.js';
import { HolderTable } from './holders/holder-table.js';
import { LabelTable } from './labels/label-table.js';
import { MetadataTable } from './metadata/metadata-table.js';
import { PoolTable } from './pools/pool-table.js';
import { RateTable } from './rates/rate-table.js';
import type { ReadModelSettings } from './settings.js';
import { Snapshots } from './snapshots/snapshots.js';

/** Every table of the model and what is derived from them. */
@Injectable()
export class ReadModelTables {
  readonly snapshots = new Snapshots();
  readonly metadata = new MetadataTable();
  readonly labels = new LabelTable();
  readonly holders = new HolderTable();
  readonly firstTrades = new FirstTradeTable();
  readonly pools = new PoolTable();
  readonly rates = new RateTable();
  readonly rows = new JettonRows();
  readonly deriver: Deriver;
  #failures = 0;

  constructor(@Inject(SETTINGS) settings: ReadModelSettings, @Inject(LOGGER) logger: Logger) {
    this.deriver = new Deriver(this, this.rows, {
      assets: createAssets(settings),
      balancesComplete: settings.BALANCES_COMPLETE === '1',
      onError: (error) => {
        this.#failures += 1;
        // The first, and then ever fewer: a fault of one kind may come with every jetton.
        if (Math.log2(this.#failures) % 1 === 0) {
          logger.error({ err: error, failures: this.#failures }, 'a record could not be derived; the former one stays');
        }
      },
    });
  }

  /** Records that could not be derived. */
  get failures(): number {
    return this.#failures;
  }
}
