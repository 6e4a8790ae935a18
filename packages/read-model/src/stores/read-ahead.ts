import type { RowBinaryReader } from '@jetton-analytics/clickhouse';

/** Page after page; the next one is fetched while one is used. */
export async function* readAhead<Span>(
  spans: readonly Span[],
  fetchPage: (span: Span) => Promise<RowBinaryReader>,
): AsyncGenerator<RowBinaryReader> {
  const begin = (span: Span | undefined) => {
    const page = span && fetchPage(span);
    // Whoever takes the page is told of a failure; until then nobody waits for it.
    page?.catch(() => undefined);
    return page;
  };
  let next = begin(spans[0]);
  for (let taken = 1; next !== undefined; taken += 1) {
    const page = await next;
    next = begin(spans[taken]);
    yield page;
  }
}
