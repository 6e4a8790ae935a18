import { Gauge, type Registry } from 'prom-client';
import type { Health } from './health.js';

/**
 * Registers `health_check_up{check}`: 1 where a readiness check of this process (a store, mostly) is fine at the scrape,
 * 0 where it is not, also of those that do not decide whether the process is ready; and `health_check_age_seconds{check}`
 * of what it follows.
 */
export function registerHealthMetrics(registry: Registry, health: Health): void {
  const age = new Gauge({
    name: 'health_check_age_seconds',
    help: 'Age of what the process goes on with, of checks of a store that is followed',
    labelNames: ['check'],
    registers: [registry],
  });
  const gauge: Gauge<'check'> = new Gauge({
    name: 'health_check_up',
    help: 'Readiness checks at the scrape: 1 fine, 0 not',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const { checks } = await health.ready();
      for (const [check, { ok, ageSeconds }] of Object.entries(checks)) {
        gauge.set({ check }, ok ? 1 : 0);
        if (ageSeconds !== undefined) age.set({ check }, ageSeconds);
      }
    },
  });
}
