import type { RowBinaryReader } from '@jetton-analytics/clickhouse';

/** Pages on their way while one is used: a server answers several at once, each in one thread. */
const aheadMax = 2;

/** Page after page, in order; the next ones are fetched while one is used. */
export async function* readAhead<Span>(
  spans: readonly Span[],
  fetchPage: (span: Span) => Promise<RowBinaryReader>,
): AsyncGenerator<RowBinaryReader> {
  const left = spans.values();
  const ahead: Promise<RowBinaryReader>[] = [];
  const fill = () => {
    while (ahead.length < aheadMax) {
      const { done, value } = left.next();
      if (done === true) return;
      const page = fetchPage(value);
      // Whoever takes the page is told of a failure; until then nobody waits for it.
      page.catch(() => undefined);
      ahead.push(page);
    }
  };
  fill();
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    const page = await next;
    fill();
    yield page;
  }
}
