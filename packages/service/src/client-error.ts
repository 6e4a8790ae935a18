import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from './domain-error.js';
import { problemResponse } from './problem.js';
import { requestIdOf } from './request-id.js';

const detailOfCode: Readonly<Record<string, DomainError>> = {
  HPE_HEADER_OVERFLOW: new DomainError('headersTooLarge', 'the request line and header are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new DomainError('payloadTooLarge', 'the chunk extensions of the body are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError('invalidArgument', 'the request was not received in time'),
};
const malformed = new DomainError('invalidArgument', 'the request is not valid HTTP');

/**
 * Answers a request that the HTTP parser refused, before any route is known: the same body as every other error,
 * written to the socket, which is then closed. A connection that the peer has dropped is only cleaned up.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const cause = detailOfCode[error.code ?? ''] ?? malformed;
  const { status, headers, body } = problemResponse(cause, '', requestIdOf(undefined));
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
