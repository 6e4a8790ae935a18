export { SimulatedMarket } from './market.js';
export { RecordKind } from './market-state.js';
export type { MarketOptions, MarketOptionsInput, MarketState } from './market-state.js';
export type { MarketRecord } from './outbox.js';
