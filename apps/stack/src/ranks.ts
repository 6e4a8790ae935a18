/** Order of the parts: each stands on those with a lower number and is stopped before them. */
export const ranks = { stores: 0, aggregator: 1, queries: 2, gateway: 3, feed: 4 } as const;
