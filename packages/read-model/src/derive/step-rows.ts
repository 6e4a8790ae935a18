import type { Step } from '@jetton-analytics/figures';
import type { Snapshots } from '../snapshots/snapshots.js';
import { reasons } from './dirty-jettons.js';
import type { JettonRows } from './jetton-rows.js';
import { longFigures, midFigures, noLong, noMid, noShort, type ShortFigures, shortFigures } from './step-figures.js';

/** What records and lists take from the texts of the snapshots; a text is read once. */
export class StepRows {
  readonly #short: (ShortFigures | undefined)[] = [];
  // The texts are those of the snapshots' tables: keeping them here costs a pointer each.
  readonly #texts: Readonly<Record<Step, (string | undefined)[]>> = { short: [], mid: [], long: [] };

  constructor(
    private readonly snapshots: Snapshots,
    private readonly rows: JettonRows,
  ) {}

  /** Prices of a row at C of the hour window. */
  short(row: number): ShortFigures {
    return this.#short[row] ?? noShort;
  }

  /** Reads the steps named by the mask. Throws RangeError for a text that is none. */
  read(address: string, row: number, mask: number): void {
    const { rows } = this;
    if ((mask & reasons.short) !== 0) {
      this.#readStep('short', address, row, (text) => {
        const figures = text === undefined ? noShort : shortFigures(text);
        this.#short[row] = figures;
        rows.set('tonPriceChangeHour', row, figures.changeHour);
      });
    }
    if ((mask & reasons.mid) !== 0) {
      this.#readStep('mid', address, row, (text) => {
        const figures = text === undefined ? noMid : midFigures(text);
        rows.set('volume24h', row, figures.volume24h);
        rows.set('traders24h', row, figures.traders24h);
        rows.set('transactions24h', row, figures.transactions24h);
        rows.set('tonPriceChangeHour6', row, figures.changeHour6);
        rows.set('tonPriceChangeDay', row, figures.changeDay);
      });
    }
    if ((mask & reasons.long) !== 0) {
      this.#readStep('long', address, row, (text) => {
        const figures = text === undefined ? noLong : longFigures(text);
        rows.set('tonPriceChangeWeek', row, figures.changeWeek);
        rows.set('tonPriceChangeMonth', row, figures.changeMonth);
      });
    }
  }

  forget(row: number): void {
    this.#short[row] = undefined;
    for (const texts of Object.values(this.#texts)) texts[row] = undefined;
  }

  #readStep(step: Step, address: string, row: number, take: (text: string | undefined) => void): void {
    const text = this.snapshots.table(step)?.jettons.get(address);
    const texts = this.#texts[step];
    // Equal texts mean equal figures; a row that is new here has no text yet, and one without a text has its zeros set.
    if (text !== undefined && texts[row] === text) return;
    take(text);
    texts[row] = text;
  }
}
