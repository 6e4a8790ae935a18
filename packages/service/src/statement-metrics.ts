import { Histogram, type Registry } from 'prom-client';

const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Registers `store_statement_seconds{statement}`, the time of ClickHouse's statements by their names (a closed set); returns
 * what is to be told of each. Once per registry.
 */
export function statementSeconds(registry: Registry): (statement: string, seconds: number) => void {
  const histogram = new Histogram({
    name: 'store_statement_seconds',
    help: 'Time from a statement for ClickHouse to its answer, of a streamed one to its begin',
    labelNames: ['statement'],
    buckets: bucketsSeconds,
    registers: [registry],
  });
  return (statement, seconds) => histogram.observe({ statement }, seconds);
}
