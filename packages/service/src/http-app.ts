import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type Clock, systemClock } from './clock.js';
import { Health } from './health.js';
import { registerHealthMetrics } from './health-metrics.js';
import { createMetricsServer, HttpMetrics } from './http-metrics.js';
import { equipServer, serverOptions, type TrustProxy } from './http-server.js';
import { closeServer, lettingGo, listen, urlOf } from './listening.js';
import { createLogger, NestLogger } from './logging.js';
import { ProblemFilter } from './problem-filter.js';
import type { CallerSpan } from './request-spans.js';
import { RouteTable } from './route-table.js';
import { ServiceModule } from './service.module.js';
import type { ServiceSettings } from './settings.js';

export interface HttpAppOptions<S extends ServiceSettings> {
  /** Name of the app in logs. */
  readonly name: string;
  /** The app's settings, injected as SETTINGS. */
  readonly settings: S;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Level of the line per request, default `debug`. */
  readonly accessLogLevel?: 'info' | 'debug';
  /** More fields for the line of a request. */
  readonly accessFields?: (request: FastifyRequest) => Readonly<Record<string, unknown>>;
  /** `link` where anybody may call: a caller's span is then no parent of ours. Default `parent`. */
  readonly callerSpan?: CallerSpan;
  /** How far X-Forwarded-For is believed; not at all by default. */
  readonly trustProxy?: TrustProxy;
}

export interface HttpApp {
  /** For a hybrid app: `nest.connectMicroservice({ strategy }); await nest.startAllMicroservices()` before `listen`. */
  readonly nest: NestFastifyApplication;
  readonly health: Health;
  readonly logger: Logger;
  /** Starts both listeners on HOST with PORT and METRICS_PORT. Rejects with Node's error (EADDRINUSE, EACCES). */
  listen(): Promise<{ url: string; metricsUrl: string }>;
  /** Becomes not ready, waits SHUTDOWN_DRAIN_MS, finishes requests under way and runs Nest's shutdown hooks. */
  close(): Promise<void>;
}

/**
 * A Nest app on Fastify with everything the services share: SETTINGS, LOGGER, Clock, Health and a prom-client Registry
 * to inject; `/livez`, `/readyz`; one error body; request ids; access log; metrics on a port of their own. It does not
 * listen yet. Rejects with whatever the modules' factories and init hooks throw.
 */
export async function createHttpApp<S extends ServiceSettings>(
  module: Type | DynamicModule,
  options: HttpAppOptions<S>,
): Promise<HttpApp> {
  const { name, settings, clock = systemClock, accessLogLevel = 'debug' } = options;
  const logger = options.logger ?? createLogger({ name, level: settings.LOG_LEVEL, format: settings.LOG_FORMAT });
  const health = new Health();
  const registry = new Registry();
  registerHealthMetrics(registry, health);
  const routes = new RouteTable();
  const made = serverOptions({ logger, routes, trustProxy: options.trustProxy ?? false });
  const adapter = new FastifyAdapter({ ...made, skipMiddie: true });
  const server = adapter.getInstance<FastifyInstance>();
  equipServer(server, {
    logger,
    routes,
    health,
    metrics: new HttpMetrics(registry),
    accessLogLevel,
    ...(options.callerSpan !== undefined && { callerSpan: options.callerSpan }),
    ...(options.accessFields !== undefined && { accessFields: options.accessFields }),
  });
  const nest = await NestFactory.create<NestFastifyApplication>(
    ServiceModule.around(module, { settings, clock, logger, health, registry, server }),
    adapter,
    { logger: new NestLogger(logger), abortOnError: false, bodyParser: false },
  );
  nest.useGlobalFilters(new ProblemFilter(logger));
  const metricsServer = createMetricsServer(registry);
  return {
    nest,
    health,
    logger,
    async listen() {
      await nest.listen(settings.PORT, settings.HOST);
      const url = urlOf(nest.getHttpServer());
      const metricsUrl = await listen(metricsServer, settings.METRICS_PORT, settings.HOST);
      logger.info({ url, metricsUrl }, 'listening');
      return { url, metricsUrl };
    },
    async close() {
      health.stop();
      await new Promise((resolve) => {
        setTimeout(resolve, settings.SHUTDOWN_DRAIN_MS);
      });
      await lettingGo(server.server, () => nest.close());
      await closeServer(metricsServer);
    },
  };
}
