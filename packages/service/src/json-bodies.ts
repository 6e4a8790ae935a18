import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { DomainError } from './domain-error.js';

const notJson = () => new DomainError('unsupportedMediaType', 'the Content-Type must be application/json');
const encoded = () => new DomainError('unsupportedMediaType', 'the body must not have a Content-Encoding');

function checkHeader({ headers }: FastifyRequest): void {
  if (headers['content-type'] === undefined) throw notJson();
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw encoded();
}

/**
 * Makes `request.body` of a POST the bytes as they came, always a Buffer (empty where nothing came): whoever knows the
 * operation parses them. Throws DomainError unsupportedMediaType for anything but JSON that is not compressed; Fastify's
 * own error for more than the server's bodyLimit. To be called before the first route is added.
 */
export function takeJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addHook('onRoute', (route: RouteOptions) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    if (!methods.includes('POST')) return;
    const own = route.preParsing ?? [];
    route.preParsing = [
      (request, _reply, payload, done) => {
        checkHeader(request);
        done(null, payload);
      },
      ...(Array.isArray(own) ? own : [own]),
    ];
  });
}
