/** What the statements of one name took of a program's waiting for ClickHouse. */
export interface StatementTime {
  readonly statement: string;
  readonly count: number;
  readonly seconds: number;
}

const sample = /^store_statement_seconds_(sum|count)\{statement="([^"]+)"\} (\S+)$/gm;

/** Time by statement since the program began, from its Prometheus metrics; those that took longest first. */
export async function statementTimes(metricsUrl: string): Promise<StatementTime[]> {
  const text = await (await fetch(metricsUrl)).text();
  const found = { sum: new Map<string, number>(), count: new Map<string, number>() };
  for (const [, kind, statement = '', value] of text.matchAll(sample)) {
    found[kind as 'sum' | 'count'].set(statement, Number(value));
  }
  return [...found.sum]
    .map(([statement, seconds]) => ({ statement, seconds, count: found.count.get(statement) ?? 0 }))
    .sort((a, b) => b.seconds - a.seconds);
}

/** As lines of a table: name, times, seconds together, milliseconds of each. */
export function statementTable(times: readonly StatementTime[], shown = 12): string {
  return times
    .slice(0, shown)
    .map(({ statement, count, seconds }) => {
      const each = ((seconds / Math.max(1, count)) * 1_000).toFixed(1);
      return `  ${statement.padEnd(28)}${String(count).padStart(7)} ×${each.padStart(9)} ms${seconds.toFixed(2).padStart(10)} s`;
    })
    .join('\n');
}
