import { dayOf } from './days.js';
import { type FetchBounds, fetchRates, shownUrl } from './fetch-rates.js';
import { RatesError } from './rate-text.js';
import { type ImportResult, importRates, type RatesStore } from './rates-store.js';

export interface RefreshOptions extends FetchBounds {
  /** FX_RATES_URL. */
  readonly url: string;
  readonly store: RatesStore;
  /** Milliseconds since the Unix epoch. */
  readonly clock: { now(): number };
  readonly logger: Record<'info' | 'warn', (fields: object, message: string) => void>;
}

export interface RefreshResult extends ImportResult {
  /** The newest day of the answer. */
  readonly day: string;
}

const secondsPerDay = 86_400;

/**
 * Fetches the rates of FX_RATES_URL once and imports them. Rejects with RatesError for an answer that is no rates or of a
 * day after tomorrow, with the platform's or the database's error otherwise; then nothing has changed.
 */
export async function refreshRates({ url, store, clock, logger, ...bounds }: RefreshOptions): Promise<RefreshResult> {
  const { rows, absent } = await fetchRates(url, bounds);
  const day = rows.reduce((newest, row) => (row.day > newest ? row.day : newest), '');
  const tomorrow = dayOf(Math.floor(clock.now() / 1_000) + secondsPerDay);
  if (day > tomorrow) throw new RatesError(`the rates are of ${day}, a day to come`);
  const source = shownUrl(url);
  const result = { ...(await importRates(store, rows, { by: 'refresh', source })), day };
  logger.info({ ...result, source }, 'rates refreshed');
  if (absent.length > 0) logger.warn({ absent, source }, 'rates are missing: the last known ones stay');
  return result;
}

export interface KeepRefreshingOptions extends Omit<RefreshOptions, 'signal'> {
  /** From one success to the next try. */
  readonly intervalMs: number;
  /** From a failure to the next try. */
  readonly retryMs?: number;
  /** Waits; rejects when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

const defaultRetryMs = 300_000;

/**
 * Refreshes at once and then again and again until the signal is aborted, logging failures. One process at a time is
 * enough, several do no harm. Resolves at the end, never rejects.
 */
export async function keepRatesRefreshed(options: KeepRefreshingOptions): Promise<void> {
  const { intervalMs, retryMs = defaultRetryMs, pause, signal, logger } = options;
  while (!signal.aborted) {
    let waitMs = intervalMs;
    try {
      await refreshRates(options);
    } catch (error) {
      if (signal.aborted) return;
      waitMs = Math.min(retryMs, intervalMs);
      logger.warn({ err: error, source: shownUrl(options.url), retryMs: waitMs }, 'rates were not refreshed');
    }
    try {
      await pause(waitMs, signal);
    } catch {
      return; // only an aborted signal ends a pause early
    }
  }
}
