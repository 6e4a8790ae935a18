import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { statementSeconds } from './statement-metrics.js';

describe('store_statement_seconds', () => {
  it('counts and adds up the times of statements by their names', async () => {
    const registry = new Registry();
    const told = statementSeconds(registry);
    told('insertLegs', 0.25);
    told('insertLegs', 0.5);
    told('windowSums', 40);
    const text = await registry.metrics();
    expect(text).toContain('store_statement_seconds_sum{statement="insertLegs"} 0.75');
    expect(text).toContain('store_statement_seconds_count{statement="insertLegs"} 2');
    expect(text).toContain('store_statement_seconds_bucket{le="30",statement="windowSums"} 0');
  });
});
