import { steps } from '@jetton-analytics/figures';
import { Clock } from '@jetton-analytics/service';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ItemCache } from './items/item-cache.js';
import { ReadModelTables } from './read-model-tables.js';
import { ReadModel } from './read-model.js';

/** Gauges of the read model, read when they are scraped. */
@Injectable()
export class ReadModelMetrics {
  readonly gauges: readonly Gauge[];

  constructor(registry: Registry, model: ReadModel, tables: ReadModelTables, cache: ItemCache, clock: Clock) {
    const registers = [registry];
    this.gauges = [
      new Gauge({
        name: 'read_model_jettons',
        help: 'Jettons known from metadata or from trades',
        registers,
        collect() {
          this.set(tables.rows.count);
        },
      }),
      new Gauge({
        name: 'read_model_jettons_to_derive',
        help: 'Jettons that wait to be derived anew',
        registers,
        collect() {
          this.set(tables.deriver.pending);
        },
      }),
      new Gauge({
        name: 'read_model_derivation_failures',
        help: 'Records that could not be derived since the start',
        registers,
        collect() {
          this.set(tables.failures);
        },
      }),
      new Gauge({
        name: 'read_model_markets',
        help: 'Markets known from trades',
        registers,
        collect() {
          this.set(model.counts.markets);
        },
      }),
      new Gauge({
        name: 'read_model_item_cache_bytes',
        help: 'Memory held by rendered items',
        registers,
        collect() {
          this.set(cache.bytes);
        },
      }),
      new Gauge({
        name: 'read_model_calculated_at_age_seconds',
        help: 'Age of the newest snapshot by step, measured by the wall clock',
        labelNames: ['step'],
        registers,
        collect() {
          for (const step of steps) {
            const marker = model.marker(step);
            if (marker !== undefined) this.set({ step }, clock.now() / 1_000 - marker.calculatedAt);
          }
        },
      }),
    ];
  }
}
