import type { RowBinaryReader } from '@jetton-analytics/clickhouse';
import { type WindowA, windowsA } from '@jetton-analytics/figures';
import { PackedWriter } from './packed-text.js';

/** Columns of a window of a jetton: how many counts (UInt64), decimals (Decimal256) and prices it has. */
export const jettonWindow = { counts: 10, decimals: 8, prices: 4 } as const;
export const marketWindow = { counts: 4, decimals: 2, prices: 2 } as const;
type WindowForm = typeof jettonWindow | typeof marketWindow;

const bytesOf = { count: 8, decimal: 32, enum8: 1, date: 2, dateTime: 4 } as const;

/** Packs the figures of rows, which follow one another in a page. Throws RangeError for rows that are none. */
export class FiguresPacker {
  readonly #writer = new PackedWriter();
  #lastName = 'none';
  #lastCode = -1;

  /** windows, price_changed_at_ton, price_changed_at_usd, usd_by_day. */
  jetton(row: RowBinaryReader): string {
    this.#windows(row, jettonWindow);
    this.#writer.integers(row, 2, bytesOf.dateTime);
    const days = row.length();
    this.#writer.count(days);
    for (let index = 0; index < days; index += 1) {
      this.#name(row);
      this.#writer.byte(row.uint8());
      this.#writer.integers(row, 1, bytesOf.date);
      this.#writer.integers(row, 2, bytesOf.decimal);
    }
    return this.#writer.take();
  }

  /** windows, counterpart. */
  market(row: RowBinaryReader): string {
    this.#windows(row, marketWindow);
    this.#writer.text(row);
    return this.#writer.take();
  }

  #windows(row: RowBinaryReader, form: WindowForm): void {
    const windows = row.length();
    this.#writer.count(windows);
    for (let index = 0; index < windows; index += 1) {
      this.#name(row);
      this.#writer.integers(row, form.counts, bytesOf.count);
      this.#writer.integers(row, form.decimals, bytesOf.decimal);
      for (let price = 0; price < form.prices; price += 1) {
        this.#writer.text(row);
        this.#writer.byte(row.uint8());
      }
    }
  }

  #name(row: RowBinaryReader): void {
    if (!this.#isLastName(row)) {
      const name = row.ascii();
      this.#lastCode = windowsA.indexOf(name as WindowA);
      if (this.#lastCode < 0) throw new RangeError(`figures: no window ${JSON.stringify(name)}`);
      this.#lastName = name;
    }
    this.#writer.byte(this.#lastCode);
  }

  // Days of a window follow one another: most names are the one before.
  #isLastName(row: RowBinaryReader): boolean {
    const { bytes, at } = row;
    const name = this.#lastName;
    if (bytes[at] !== name.length) return false;
    for (let index = 0; index < name.length; index += 1) {
      if (bytes[at + 1 + index] !== name.charCodeAt(index)) return false;
    }
    row.skip(name.length + 1);
    return true;
  }
}
