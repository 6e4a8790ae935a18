import { jettonSpans } from '@jetton-analytics/clickhouse';
import { steps } from '@jetton-analytics/figures';
import { firstTrades } from './first-trades/first-trades.query.js';
import { holdersOfSpan } from './holders/holders.query.js';
import { poolStates } from './pools/pool-states.query.js';
import { jettonRows, marketRows, pageRows } from './snapshots/snapshots.query.js';

export interface Statement {
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number>>;
}

const newest = String(2n ** 128n - 1n);

/**
 * What a model of so many jettons reads of the engine at its start, in the lists that it reads one beside the other, from
 * term 1. For benchmarks: what it costs to read the same and to leave it.
 */
export function hydrationQueries(jettons: number): Statement[][] {
  const spans = jettonSpans(Math.max(1, Math.ceil(jettons / pageRows))).map((span) => ({ ...span }));
  // Each page follows the page before; addresses are hashes, so that pages of as many lie about as far apart as the spans.
  const page = { sinceMs: 0, rowsMax: Math.ceil(jettons / spans.length) };
  const rows = steps.flatMap((step) =>
    [jettonRows, marketRows].flatMap(({ sql }) =>
      spans.map((span) => ({ sql, params: { term: 1, step, after: 0, upTo: newest, ...span } })),
    ),
  );
  return [
    rows,
    spans.map((params) => ({ sql: holdersOfSpan.sql, params })),
    spans.map(({ fromJetton: afterPool }) => ({ sql: poolStates.sql, params: { afterPool, ...page } })),
    spans.map(({ fromJetton: afterJetton }) => ({ sql: firstTrades.sql, params: { afterJetton, ...page } })),
  ];
}
