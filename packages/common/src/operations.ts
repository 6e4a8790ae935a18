import type { Operation } from './operation.js';
import * as lists from './operations-lists.js';
import * as single from './operations-single.js';

/**
 * Every operation of /v1, one entry per method and path: the gateway's routes, the OpenAPI document and the table of
 * docs are made from it, the query apps take their request contracts from it.
 */
export const operations: readonly Operation[] = [...Object.values(lists), ...Object.values(single)];
