import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const bucketsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Duration of requests by route pattern, method and status: closed sets, never an address. */
export class HttpMetrics {
  readonly #duration: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request line to the end of the answer',
      labelNames: ['method', 'route', 'status'],
      buckets: bucketsSeconds,
      registers: [registry],
    });
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    this.#duration.observe({ method: methods.has(method) ? method : 'other', route, status: String(status) }, seconds);
  }
}

/** A listener of its own for `GET /metrics`, so that the public port never shows them. Adds the process's own metrics. */
export function createMetricsServer(registry: Registry): Server {
  collectDefaultMetrics({ register: registry });
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return server;
}
