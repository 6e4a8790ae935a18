import type { ReadContext } from '@jetton-analytics/requests';
import type { FastifyRequest } from 'fastify';
import type { Env } from '../env.js';

/** The context that a request is read in; path parameters come percent-decoded from the router. */
export function contextOf({ NETWORK }: Pick<Env, 'NETWORK'>, { params }: FastifyRequest): ReadContext {
  // Every path parameter of a matched route is there, as text.
  return { network: NETWORK, path: params as Record<string, string> };
}
