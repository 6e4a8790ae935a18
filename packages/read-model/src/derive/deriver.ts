import type { Assets } from '@jetton-analytics/feed';
import type { Step } from '@jetton-analytics/figures';
import type { FirstTradeTable } from '../first-trades/first-trade-table.js';
import type { HolderTable } from '../holders/holder-table.js';
import type { LabelTable } from '../labels/label-table.js';
import { type MetadataTable, noMetadata } from '../metadata/metadata-table.js';
import type { PoolTable } from '../pools/pool-table.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { Touched } from '../snapshots/step-table.js';
import { ageChangesAt } from './age.js';
import { deriveRecord, type Former } from './derive-row.js';
import { DirtyJettons, everyReason, reasons } from './dirty-jettons.js';
import type { JettonRows } from './jetton-rows.js';
import { LiquidityTable } from './liquidity-table.js';
import { noQuotes, type Quotes, quotesOf, sameQuotes } from './quotes.js';
import { sameRecord } from './same-record.js';
import { StepBacklog } from './step-backlog.js';
import { StepRows } from './step-rows.js';
import { Sweep } from './sweep.js';
import { WorkQueue } from './work-queue.js';

/** What records are made from. */
export interface DeriverInputs {
  readonly snapshots: Snapshots;
  readonly metadata: MetadataTable;
  readonly labels: LabelTable;
  readonly holders: HolderTable;
  readonly firstTrades: FirstTradeTable;
  readonly pools: PoolTable;
}

export interface DeriverOptions {
  readonly assets: Assets;
  readonly balancesComplete: boolean;
  /** A record could not be made; the former one stays. */
  readonly onError: (error: unknown) => void;
}

const monotonicMs = () => performance.now();

/**
 * Keeps the rows up with what they are made from: whoever is touched is derived anew, and with another price of a quote
 * asset everybody whose liquidity rests on one. In slices, off the serving path.
 */
export class Deriver {
  readonly #dirty = new DirtyJettons();
  readonly #backlog = new StepBacklog();
  readonly #liquidity: LiquidityTable;
  readonly #sweep: Sweep;
  readonly #queue: WorkQueue;
  readonly #steps: StepRows;
  /** By row: instant from which the age part of the trust score may be another one. */
  readonly #ageChangesAt: number[] = [];
  #quotes: Quotes = noQuotes;
  #started = false;
  #hasSettled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly inputs: DeriverInputs,
    private readonly rows: JettonRows,
    private readonly options: DeriverOptions,
  ) {
    const { snapshots, metadata, labels, holders, firstTrades, pools } = inputs;
    this.#steps = new StepRows(snapshots, rows);
    const markInputs = (jetton: string) => this.#mark(jetton, reasons.inputs);
    this.#liquidity = new LiquidityTable(
      pools,
      options.assets,
      (jetton, pool) => snapshots.table('short')?.markets.get(jetton)?.has(pool) ?? false,
      markInputs,
    );
    this.#sweep = new Sweep(this.#liquidity.dependents, (jetton) => this.#derive(jetton, reasons.inputs));
    this.#queue = new WorkQueue(() => this.#step(), options.onError);
    snapshots.onPublished((step, touched) => this.#onPublished(step, touched));
    for (const table of [metadata, labels, holders, firstTrades]) table.onChange(markInputs);
  }

  get quotes(): Quotes {
    return this.#quotes;
  }

  /** Work still to do. */
  get pending(): number {
    return this.#dirty.size;
  }

  /** Everything is derived from what is known now. */
  get isIdle(): boolean {
    return this.#started && this.#dirty.size === 0 && !this.#sweep.isPending;
  }

  /** Everything known at the start has been derived once. */
  get hasSettled(): boolean {
    return this.#hasSettled;
  }

  /** Begins to derive: before every source has been read once it would be done again for each of them. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    const { snapshots, metadata } = this.inputs;
    for (const jetton of snapshots.table('short')?.jettons.keys() ?? []) this.#dirty.add(jetton, everyReason);
    for (const jetton of metadata.addresses()) this.#dirty.add(jetton, everyReason);
    this.#queue.wake();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#queue.stop();
  }

  #mark(jetton: string, mask: number): void {
    // At the start everybody is derived: whoever is named before need not be remembered.
    if (!this.#started) return;
    this.#dirty.add(jetton, mask);
    this.#queue.wake();
  }

  #onPublished(step: Step, touched: Touched): void {
    if (touched === 'all') this.#markAll(step);
    else {
      for (const jetton of touched.jettons) this.#mark(jetton, reasons[step]);
      if (step === 'short') for (const jetton of touched.markets) this.#mark(jetton, reasons.markets);
    }
    if (step === 'short') this.#onShort();
  }

  #markAll(step: Step): void {
    if (!this.#started) {
      this.#backlog.add(step, this.inputs.snapshots.table(step)?.jettons.keys() ?? []);
      this.#queue.wake();
      return;
    }
    const mask = step === 'short' ? reasons.short | reasons.markets : reasons[step];
    for (let row = 0; row < this.rows.size; row += 1) {
      if (this.rows.isRow(row)) this.#dirty.add(this.rows.address(row), mask);
    }
    for (const jetton of this.inputs.snapshots.table(step)?.jettons.keys() ?? []) this.#dirty.add(jetton, mask);
    this.#queue.wake();
  }

  #onShort(): void {
    const table = this.inputs.snapshots.table('short');
    const quotes = quotesOf(this.options.assets, (jetton) => table?.jettons.get(jetton));
    if (!sameQuotes(quotes, this.#quotes)) {
      this.#quotes = quotes;
      this.#liquidity.setQuotes(quotes);
      this.#sweep.want();
    }
    const hourC = table?.marker.calculatedAt ?? 0;
    this.#ageChangesAt.forEach((changesAt, row) => {
      if (changesAt <= hourC && this.rows.isRow(row)) this.#dirty.add(this.rows.address(row), reasons.inputs);
    });
    if (this.#started) this.#queue.wake();
  }

  #step(): boolean {
    if (!this.#started) return this.#readAhead();
    const next = this.#dirty.take();
    if (next !== undefined) {
      this.#derive(next.address, next.mask);
      return true;
    }
    if (this.#dirty.size > 0 || this.#sweep.step(monotonicMs)) return true;
    this.#hasSettled = true;
    this.#wakeForSweep();
    return false;
  }

  /** Figures of one text: what takes longest of deriving, and rests on nothing else. */
  #readAhead(): boolean {
    const next = this.#backlog.take();
    if (next === undefined) return false;
    if (!this.options.assets.isNative(next.address)) {
      this.#steps.read(next.address, this.rows.take(next.address), reasons[next.step]);
    }
    return true;
  }

  #wakeForSweep(): void {
    const dueInMs = this.#sweep.dueInMs(monotonicMs());
    if (dueInMs === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#queue.wake();
    }, dueInMs);
    this.#timer.unref();
  }

  #isKnown(jetton: string): boolean {
    const { snapshots, metadata } = this.inputs;
    if (this.options.assets.isNative(jetton)) return false;
    return metadata.has(jetton) || (snapshots.table('short')?.jettons.has(jetton) ?? false);
  }

  #derive(address: string, mask: number): void {
    const { rows } = this;
    if (!this.#isKnown(address)) {
      const row = rows.rowOf(address);
      if (row === undefined) return;
      rows.hide(row);
      this.#steps.forget(row);
      this.#ageChangesAt[row] = Number.POSITIVE_INFINITY;
      this.#liquidity.setMarkets(address, []);
      return;
    }
    const isNew = rows.rowOf(address) === undefined;
    const row = rows.take(address);
    this.#steps.read(address, row, isNew ? everyReason : mask);
    if (isNew || (mask & reasons.markets) !== 0) {
      this.#liquidity.setMarkets(address, this.inputs.snapshots.table('short')?.markets.get(address)?.keys() ?? []);
    }
    this.#show(address, row);
  }

  #show(address: string, row: number): void {
    const { snapshots, metadata, labels, holders, firstTrades } = this.inputs;
    const { rows } = this;
    const entry = metadata.entry(address);
    const former = this.#former(row);
    const { record, trustInputs } = deriveRecord(
      {
        address: former?.record.address ?? address,
        fixedDecimals: this.options.assets.decimalsOf(address),
        metadata: entry,
        verification: labels.verification(address),
        firstTrade: firstTrades.firstTrade(address),
        holders: holders.figures(address),
        short: this.#steps.short(row),
        traders24h: rows.exact('traders24h', row) ?? 0n,
        liquidity: this.#liquidity.liquidity(address),
        liquidityChangedAt: this.#liquidity.changedAt(address),
        balancesComplete: this.options.balancesComplete,
        hourC: snapshots.marker('short')?.calculatedAt ?? 0,
      },
      former,
    );
    if (trustInputs !== former?.trustInputs) {
      const { createdAtSeconds, atSeconds } = trustInputs;
      this.#ageChangesAt[row] =
        createdAtSeconds === undefined ? Number.POSITIVE_INFINITY : ageChangesAt(createdAtSeconds, atSeconds);
    }
    if (former !== undefined && trustInputs === former.trustInputs && sameRecord(former.record, record)) return;
    rows.show(row, record, (entry ?? noMetadata).searchText, trustInputs);
    rows.setFigures(row, record);
  }

  #former(row: number): Former | undefined {
    const record = this.rows.record(row);
    const trustInputs = this.rows.trustInputs(row);
    if (record === undefined || trustInputs === undefined) return undefined;
    return { record, trustInputs, ageChangesAt: this.#ageChangesAt[row] ?? Number.POSITIVE_INFINITY };
  }
}
