import { parseDecimal } from '@jetton-analytics/figures';
import { type DayRate, isFiat, Rates } from '@jetton-analytics/rates';
import { z } from 'zod';
import type { ChangeSource } from '../follow/change-numbers.js';
import type { PostgresReader } from '../stores/postgres-reader.js';

/** The daily rates of the fiats. */
export class RateTable {
  #rates = Rates.none;
  #revision = 0;

  /** Another object after every change. */
  get rates(): Rates {
    return this.#rates;
  }

  get revision(): number {
    return this.#revision;
  }

  readonly apply = (rows: readonly DayRate[]): void => {
    if (rows.length === 0) return;
    this.#rates = this.#rates.with(rows);
    this.#revision += 1;
  };
}

const rates = {
  name: 'rates',
  // As text: the driver would read a day as midnight of this machine's zone.
  sql: `SELECT to_char(day, 'YYYY-MM-DD') AS day, currency, rate::text AS rate, change_number FROM fx_rates
        WHERE change_number > $1 ORDER BY change_number LIMIT $2`,
  row: z.object({
    day: z.string(),
    // Others can have been currencies of a former version.
    currency: z.string(),
    rate: z.string().transform(parseDecimal),
    change_number: z.string().transform(BigInt),
  }),
};

/** The table of rates. */
export function rateSource(reader: PostgresReader): ChangeSource<{ changeNumber: bigint; rates: DayRate[] }> {
  return {
    rowsAfter: async (changeNumber, rowsMax) => {
      const rows = await reader.query(rates, [changeNumber.toString(), rowsMax]);
      return rows.map(({ day, currency, rate, change_number }) => ({
        changeNumber: change_number,
        rates: isFiat(currency) ? [{ day, currency, rate }] : [],
      }));
    },
  };
}
