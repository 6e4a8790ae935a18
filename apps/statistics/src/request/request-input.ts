import type { RequestInput } from '@jetton-analytics/requests';
import type { FastifyRequest } from 'fastify';

/** A request as packages/requests reads it. The service leaves the body of a POST as the bytes that came. */
export function requestInputOf({ url, body }: FastifyRequest): RequestInput {
  return body instanceof Uint8Array ? { url, body } : { url };
}
