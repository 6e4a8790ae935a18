export { fold } from './fold.js';
export { fieldDecimals, type FilterField, type ListField, type ListSource } from './list-source.js';
export type { ListFamily, ListPage, ListWalksApi, ListWalksOptions } from './list-walks.js';
export type { Pin, PinStore } from './pin-store.js';
