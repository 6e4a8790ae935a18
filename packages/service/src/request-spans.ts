import { carriedContext, isTracing, linksOf, type OpenSpan, openSpan, SpanKind } from '@jetton-analytics/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Whether the caller's span becomes the parent of ours (an app behind), or is only linked (from anybody). */
export type CallerSpan = 'parent' | 'link';

/** A span per request, from its header to the end of its answer; none without tracing and for `untraced` paths. */
export class RequestSpans {
  readonly #spans = new WeakMap<FastifyRequest, OpenSpan>();

  constructor(
    private readonly callerSpan: CallerSpan,
    private readonly untraced: ReadonlySet<string>,
  ) {}

  /** Before any other hook, so that all of a request runs in its span. */
  begin(server: FastifyInstance): void {
    if (!isTracing()) return;
    server.addHook('onRequest', (request, _reply, done) => {
      if (this.untraced.has(routeOf(request))) return done();
      const isParent = this.callerSpan === 'parent';
      const span = openSpan(request.method, {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': request.method, 'jetton_analytics.request_id': request.id },
        // Somebody from outside must neither decide which traces are kept nor write into those of others.
        ...(isParent ? { parent: carriedContext(request.headers) } : { links: linksOf([request.headers]) }),
      });
      this.#spans.set(request, span);
      span.run(done);
    });
  }

  /** What is done once the answer is sent, in the request's span. */
  run(request: FastifyRequest, work: () => void): void {
    const span = this.#spans.get(request);
    if (span === undefined) work();
    else span.run(work);
  }

  end(request: FastifyRequest, status: number): void {
    const route = routeOf(request);
    this.#spans
      .get(request)
      ?.end({ 'http.route': route, 'http.response.status_code': status }, status >= 500, `${request.method} ${route}`);
  }
}

/** The pattern, never the path: that may hold addresses. */
export const routeOf = (request: FastifyRequest): string =>
  request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
