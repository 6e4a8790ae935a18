export { SimulatedMarket } from './market.js';
export { MarketOptions, MarketState, RecordKind } from './market-state.js';
export type { MarketOptionsInput } from './market-state.js';
export type { MarketRecord } from './outbox.js';
