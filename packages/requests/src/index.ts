export type { ReadContext, RequestInput } from './read-context.js';
