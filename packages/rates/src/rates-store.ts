import { parseDecimal } from '@jetton-analytics/figures';
import { isFiat } from './fiats.js';
import { rateText } from './rate-text.js';
import type { DayRate } from './rates.js';

/** What runs our statements: a TypeORM DataSource or EntityManager. */
export interface RatesStore {
  query<T>(sql: string, parameters?: unknown[]): Promise<T>;
}

export interface ImportOptions {
  /** Who imports them. */
  readonly by: string;
  /** Where they come from. */
  readonly source: string;
  /** Leaves days alone that have a rate already, whatever it is: for defaults. */
  readonly keepExisting?: boolean;
  /** Only counts what would change. */
  readonly dryRun?: boolean;
}

export interface ImportResult {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
}

// $1 days, $2 currencies, $3 rates, $4 whether to keep existing ones
const changed = `
  SELECT given.day, given.currency, given.rate, known.rate IS NULL AS is_new
  FROM unnest($1::date[], $2::text[], $3::numeric[]) AS given(day, currency, rate)
  LEFT JOIN fx_rates AS known USING (day, currency)
  WHERE known.rate IS NULL OR (NOT $4::boolean AND known.rate <> given.rate)`;

// The condition of the update is asked again: another import may have been faster.
const upsert = `
  INSERT INTO fx_rates (day, currency, rate, source, set_by, set_at)
  SELECT day, currency, rate, $5, $6, now() FROM (${changed}) AS changed
  ORDER BY day, currency
  ON CONFLICT (day, currency) DO UPDATE
    SET rate = EXCLUDED.rate, source = EXCLUDED.source, set_by = EXCLUDED.set_by, set_at = EXCLUDED.set_at
    WHERE NOT $4::boolean AND fx_rates.rate <> EXCLUDED.rate
  RETURNING (xmax = 0) AS is_new`;

/**
 * Stores rates in Postgres, all or none: a day and currency that has the same rate is not touched, so that importing
 * again changes nothing. The database keeps who, when and whence of every change. Of two rows of one day and currency
 * the later one counts. Rejects with the database's error.
 */
export async function importRates(
  store: RatesStore,
  rows: Iterable<DayRate>,
  { by, source, keepExisting = false, dryRun = false }: ImportOptions,
): Promise<ImportResult> {
  const given = [...new Map(Array.from(rows, (row) => [`${row.day} ${row.currency}`, row])).values()];
  const columns = [
    given.map(({ day }) => day),
    given.map(({ currency }) => currency),
    given.map(({ rate }) => rateText(rate)),
    keepExisting,
  ];
  const changes = dryRun
    ? await store.query<{ is_new: boolean }[]>(changed, columns)
    : await store.query<{ is_new: boolean }[]>(upsert, [...columns, source, by]);
  const inserted = changes.filter((change) => change.is_new).length;
  return { inserted, updated: changes.length - inserted, unchanged: given.length - changes.length };
}

export interface ChangedRates {
  readonly rows: readonly DayRate[];
  /** Give it as `after` next time. */
  readonly changeNumber: string;
}

/**
 * Rates that were changed after a change number ('0': all of them). Numbers become visible in ascending order, so a
 * follower misses none. Rejects with the database's error.
 */
export async function changedRates(store: RatesStore, after: string): Promise<ChangedRates> {
  const found = await store.query<{ day: string; currency: string; rate: string; change_number: string }[]>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, currency, rate::text AS rate, change_number::text AS change_number
     FROM fx_rates WHERE change_number > $1::bigint ORDER BY fx_rates.change_number`,
    [after],
  );
  return {
    // a currency of a newer version of this program is none here
    rows: found.flatMap(({ day, currency, rate }) =>
      isFiat(currency) ? [{ day, currency, rate: parseDecimal(rate) }] : [],
    ),
    changeNumber: found.at(-1)?.change_number ?? after,
  };
}
