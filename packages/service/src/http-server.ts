import type { Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { answerClientError } from './client-error.js';
import { DomainError } from './domain-error.js';
import type { Health, HealthReport } from './health.js';
import type { HttpMetrics } from './http-metrics.js';
import { takeJsonBodies } from './json-bodies.js';
import { answerError } from './problem-filter.js';
import { pathOf } from './problem.js';
import { requestIdOf } from './request-id.js';
import { RouteTable } from './route-table.js';

const kib = 1024;
/** Request line and header together; the interface promises at least 16 KiB for either. */
const headerBytesMax = 48 * kib;
/** Body of a POST. */
const bodyBytesMax = 64 * kib;
const healthPaths = new Set(['/livez', '/readyz']);

/** What both kinds of server (Nest app, bare health server) are made with. */
export function serverOptions(logger: Logger): FastifyHttpOptions<Server> {
  return {
    logger: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // The longest parameter a header can hold: a long one is for its validator to refuse, not for the router.
    routerOptions: { maxParamLength: headerBytesMax },
    http: { maxHeaderSize: headerBytesMax, headersTimeout: 15_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void reply.header('X-Request-Id', request.id);
      answerError(logger, error, request, reply);
    },
  };
}

export interface ServerParts {
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: HttpMetrics;
  /** Level of the line per request; those of health checks are always `trace`. */
  readonly accessLogLevel: 'info' | 'debug';
}

/** Adds request ids, 404 and 405, the access log, request metrics and the health paths. Before any other route. */
export function equipServer(server: FastifyInstance, { logger, health, metrics, accessLogLevel }: ServerParts): void {
  const routes = new RouteTable();
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of Array.isArray(method) ? method : [method]) routes.add(one, url);
  });
  // In onRequest, that is before the body is looked at: an unknown path is a 404 whatever its body is.
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    if (!request.is404) return done();
    const allow = routes.methodsOf(pathOf(request.url));
    if (allow.length === 0) return done(new DomainError('notFound', 'no such path'));
    done(new DomainError('methodNotAllowed', `the path supports ${allow.join(', ')}`, { allow }));
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const { statusCode: status } = reply;
    const durationMs = Math.round(reply.elapsedTime * 1_000) / 1_000;
    metrics.observe(request.method, route, status, durationMs / 1_000);
    const level = healthPaths.has(route) ? 'trace' : accessLogLevel;
    if (logger.isLevelEnabled(level)) {
      logger[level]({ requestId: request.id, method: request.method, route, status, durationMs }, 'request');
    }
    done();
  });
  takeJsonBodies(server);
  addHealthPath(server, '/livez', 'live', () => health.live());
  addHealthPath(server, '/readyz', 'ready', () => health.ready());
}

function addHealthPath(server: FastifyInstance, path: string, word: string, report: () => Promise<HealthReport>): void {
  server.get(path, async (_request, reply) => {
    const { ok, checks } = await report();
    await reply
      .code(ok ? 200 : 503)
      .headers({
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        ...(ok ? {} : { 'Retry-After': '1' }),
      })
      .send(Buffer.from(JSON.stringify({ status: ok ? word : `not ${word}`, checks })));
  });
}
