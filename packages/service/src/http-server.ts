import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyHttpOptions, FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { answerClientError, endWithProblem, refusedMethod } from './client-error.js';
import type { Health, HealthReport } from './health.js';
import type { HttpMetrics } from './http-metrics.js';
import { takeJsonBodies } from './json-bodies.js';
import { answerError } from './problem-filter.js';
import { requestIdOf } from './request-id.js';
import { type CallerSpan, RequestSpans, routeOf } from './request-spans.js';
import { RouteTable } from './route-table.js';

const kib = 1024;
/** Request line and header together; the interface promises at least 16 KiB for either. */
const headerBytesMax = 48 * kib;
/** Body of a POST. */
const bodyBytesMax = 64 * kib;
const keepAliveTimeoutMs = 72_000;
const healthPaths = new Set(['/livez', '/readyz']);

/** Whose X-Forwarded-For is believed: nobody's, that of these addresses (with commas), or of whom the function says. */
export type TrustProxy = false | string | ((address: string, hop: number) => boolean);

export interface ServerInput {
  readonly logger: Logger;
  readonly routes: RouteTable;
  readonly trustProxy?: TrustProxy;
}

/** What both kinds of server (Nest app, bare health server) are made with. */
export function serverOptions({ logger, routes, trustProxy = false }: ServerInput): FastifyHttpOptions<Server> {
  return {
    logger: false,
    trustProxy,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Of a socket on which nothing moves, a client that does not read its answer for instance.
    connectionTimeout: keepAliveTimeoutMs + 3_000,
    // The longest parameter a header can hold: a long one is for its validator to refuse, not for the router.
    routerOptions: { maxParamLength: headerBytesMax },
    // Node looks for requests beyond their timeouts only as often as the last one says.
    http: { maxHeaderSize: headerBytesMax, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, routes),
    frameworkErrors: (error, request, reply) => {
      void reply.header('X-Request-Id', request.id);
      answerError(logger, error, request, reply);
    },
  };
}

export interface ServerParts {
  readonly logger: Logger;
  readonly routes: RouteTable;
  readonly health: Health;
  readonly metrics: HttpMetrics;
  /** Level of the line per request; those of health checks are always `trace`. */
  readonly accessLogLevel: 'info' | 'debug';
  /** More fields for the line of a request. */
  readonly accessFields?: (request: FastifyRequest) => Readonly<Record<string, unknown>>;
  readonly callerSpan?: CallerSpan;
}

/** Adds request ids, 404 and 405, the access log, request metrics and the health paths. Before any other route. */
export function equipServer(server: FastifyInstance, parts: ServerParts): void {
  const { routes, health } = parts;
  const spans = new RequestSpans(parts.callerSpan ?? 'parent', healthPaths);
  spans.begin(server);
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of Array.isArray(method) ? method : [method]) routes.add(one, url);
  });
  // In onRequest, that is before the body is looked at: an unknown path is a 404 whatever its body is.
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    if (!request.is404) return done();
    done(refusedMethod(request.url, routes, request.method).error);
  });
  addAccessLog(server, parts, spans);
  takeJsonBodies(server);
  answerOddRequests(server.server, routes);
  addHealthPath(server, '/livez', 'live', () => health.live());
  addHealthPath(server, '/readyz', 'ready', () => health.ready());
}

function addAccessLog(server: FastifyInstance, parts: ServerParts, spans: RequestSpans): void {
  const { logger, metrics, accessLogLevel, accessFields } = parts;
  // The fields of this line are ours and hold no header. Redaction would cost 36 µs for each, the line itself 6.
  const accessLogger = logger.child({}, { redact: [] });
  server.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const { statusCode: status } = reply;
    const durationMs = Math.round(reply.elapsedTime * 1_000) / 1_000;
    metrics.observe(request.method, route, status, durationMs / 1_000);
    const level = healthPaths.has(route) ? 'trace' : accessLogLevel;
    if (accessLogger.isLevelEnabled(level)) {
      const fields = { requestId: request.id, method: request.method, route, status, durationMs };
      const line = accessFields === undefined ? fields : { ...fields, ...accessFields(request) };
      spans.run(request, () => accessLogger[level](line, 'request'));
    }
    spans.end(request, status);
    done();
  });
}

/** What Node would answer by itself, or not at all: an expectation it does not know, and CONNECT. */
function answerOddRequests(server: Server, routes: RouteTable): void {
  server.on('checkExpectation', (request: IncomingMessage, response) => server.emit('request', request, response));
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const { instance, error } = refusedMethod(request.url ?? '', routes);
    endWithProblem(socket, error, instance);
  });
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
