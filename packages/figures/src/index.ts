export * from './amounts.js';
export * from './change-lists.js';
export * from './change-percent.js';
export * from './clock-mode.js';
export * from './counterpart-price.js';
export * from './decimal-text.js';
export * from './exact.js';
export * from './feed-delay.js';
export * from './figures.js';
export * from './instants.js';
export { renderJettonStatistics } from './jetton-statistics.js';
export * from './market-statistics.js';
export * from './metrics-currency.js';
export * from './next-t.js';
export * from './pool-value.js';
export * from './price.js';
export { priceWeights, priceWindowMinutes } from './price-weights.js';
export * from './rational.js';
export * from './supply.js';
export { fillHoles, fillList, holesOf, tagOf, type CalculatedAt, type StatisticsTemplate } from './template.js';
export * from './trust-score.js';
export {
  fiatVolumeSums,
  type DayVolume,
  type DayVolumes,
  type UsdByDay,
  type VolumeSums,
  volumeSums,
} from './volume-sums.js';
export * from './windows.js';
