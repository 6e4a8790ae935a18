export { bundledRates, bundledSource } from './bundled.js';
export { dayOf } from './days.js';
export { fetchRates, type FetchBounds } from './fetch-rates.js';
export { type Fiat, fiats, isFiat } from './fiats.js';
export { parseRatesCsv, type ReadRates } from './parse-csv.js';
export { parseRatesJson } from './parse-json.js';
export { RatesError, rateText } from './rate-text.js';
export { type DayRate, Rates } from './rates.js';
export {
  type ChangedRates,
  changedRates,
  type ImportOptions,
  type ImportResult,
  importRates,
  type RatesStore,
} from './rates-store.js';
export {
  type KeepRefreshingOptions,
  keepRatesRefreshed,
  type RefreshOptions,
  type RefreshResult,
  refreshRates,
} from './refresh-rates.js';
export { ratesSettings } from './settings.js';
