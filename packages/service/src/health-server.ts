import { fastify } from 'fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Health } from './health.js';
import { registerHealthMetrics } from './health-metrics.js';
import { createMetricsServer, HttpMetrics } from './http-metrics.js';
import { equipServer, serverOptions } from './http-server.js';
import { closeServer, lettingGo, listen, urlOf } from './listening.js';
import { answerError } from './problem-filter.js';
import { RouteTable } from './route-table.js';
import type { ServiceSettings } from './settings.js';

export interface HealthServer {
  readonly health: Health;
  /** Register own metrics here. */
  readonly registry: Registry;
  /** Rejects with Node's error (EADDRINUSE, EACCES). */
  listen(): Promise<{ url: string; metricsUrl: string }>;
  /** Becomes not ready, then stops listening. */
  close(): Promise<void>;
}

/** `/livez`, `/readyz` and metrics for a process that is no Nest app, without anything else. */
export function createHealthServer(settings: ServiceSettings, logger: Logger): HealthServer {
  const health = new Health();
  const registry = new Registry();
  registerHealthMetrics(registry, health);
  const routes = new RouteTable();
  const server = fastify(serverOptions({ logger, routes }));
  equipServer(server, { logger, routes, health, metrics: new HttpMetrics(registry), accessLogLevel: 'debug' });
  server.setErrorHandler((error, request, reply) => answerError(logger, error, request, reply));
  const metricsServer = createMetricsServer(registry);
  return {
    health,
    registry,
    async listen() {
      await server.listen({ port: settings.PORT, host: settings.HOST });
      const metricsUrl = await listen(metricsServer, settings.METRICS_PORT, settings.HOST);
      return { url: urlOf(server.server), metricsUrl };
    },
    async close() {
      health.stop();
      await lettingGo(server.server, () => server.close());
      await closeServer(metricsServer);
    },
  };
}
