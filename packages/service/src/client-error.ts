import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from './domain-error.js';
import { pathOf, problemResponse } from './problem.js';
import { requestIdOf } from './request-id.js';
import type { RouteTable } from './route-table.js';

const errorOfCode: Readonly<Record<string, DomainError>> = {
  HPE_HEADER_OVERFLOW: new DomainError('headersTooLarge', 'the request line and header are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new DomainError('payloadTooLarge', 'the chunk extensions of the body are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError('invalidArgument', 'the request was not received in time'),
};
const malformed = new DomainError('invalidArgument', 'the request is not valid HTTP');
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.[01]\r?\n/;
const requestLineCharsMax = 16 * 1024;

interface ParserError extends Error {
  readonly code?: unknown;
  /** The bytes that the parser was given last: a Buffer. */
  readonly rawPacket?: unknown;
}

/**
 * A path as asked for and the error where no route took it: 405 for a method that the path does not have, else 404, also
 * for one that has the method and whose parameters the router takes for none (one with a line break).
 */
export function refusedMethod(
  target: string,
  routes: RouteTable,
  method?: string,
): { instance: string; error: DomainError } {
  const instance = pathOf(target.replace(/^https?:\/\/[^/?]*/i, ''));
  const allow = routes.methodsOf(instance);
  const error =
    allow.length === 0 || (method !== undefined && allow.includes(method))
      ? new DomainError('notFound', 'no such path')
      : new DomainError('methodNotAllowed', `the path supports ${allow.join(', ')}`, { allow });
  return { instance, error };
}

/**
 * Answers a request that the HTTP parser refused, before any route is known: the same body as every other error,
 * written to the socket, which is then closed. A method that the parser has never heard of is no malformed request. A
 * connection that the peer has dropped is only cleaned up.
 */
export function answerClientError(error: ParserError, socket: Duplex, routes: RouteTable): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(error.rawPacket)) {
    const [, , target] = requestLine.exec(error.rawPacket.toString('latin1', 0, requestLineCharsMax)) ?? [];
    if (target !== undefined) {
      const refused = refusedMethod(target, routes);
      endWithProblem(socket, refused.error, refused.instance);
      return;
    }
  }
  endWithProblem(socket, errorOfCode[String(error.code)] ?? malformed, '');
}

/** Writes an error answer where there is no request to answer, and closes. */
export function endWithProblem(socket: Duplex, error: DomainError, instance: string): void {
  const { status, headers, body } = problemResponse(error, instance, requestIdOf(undefined));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      ...lines,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
