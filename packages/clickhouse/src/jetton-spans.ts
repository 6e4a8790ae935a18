/** A span of addresses: from (inside) to before (outside; '': to the end). */
export interface JettonSpan {
  readonly fromJetton: string;
  readonly beforeJetton: string;
}

const steps = 2 ** 24;

/**
 * Cuts all addresses into spans that hold about equally many, account ids being hashes: `0:` and the first six hex digits
 * of the id. The first span holds whatever sorts before, the last whatever sorts after.
 */
export function jettonSpans(count: number): JettonSpan[] {
  const edges = Array.from({ length: Math.min(count, steps) - 1 }, (_, index) => {
    const edge = Math.floor(((index + 1) * steps) / count);
    return `0:${edge.toString(16).padStart(6, '0')}`;
  });
  return ['', ...edges].map((fromJetton, index) => ({ fromJetton, beforeJetton: edges[index] ?? '' }));
}
