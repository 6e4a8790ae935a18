import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { Health } from './health.js';
import { registerHealthMetrics } from './health-metrics.js';

describe('health_check_up', () => {
  it('tells of each store at the scrape, whether or not it decides about readiness', async () => {
    const health = new Health();
    const registry = new Registry();
    registerHealthMetrics(registry, health);
    let isThere = true;
    health.addReadiness('clickhouse', () => ({ ok: isThere }));
    health.addReadiness('postgres', () => Promise.reject(new Error('away')), { decides: false });
    expect(await registry.metrics()).toContain('health_check_up{check="clickhouse"} 1\n');
    expect(await registry.metrics()).toContain('health_check_up{check="postgres"} 0\n');
    health.addReadiness('followed', () => ({ ok: true, ageSeconds: 1.5 }));
    await registry.metrics();
    expect(await registry.metrics()).toContain('health_check_age_seconds{check="followed"} 1.5\n');
    isThere = false;
    expect(await registry.metrics()).toContain('health_check_up{check="clickhouse"} 0\n');
  });
});
