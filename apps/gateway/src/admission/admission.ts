import { DomainError } from '@jetton-analytics/service';
import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/access.js';
import type { Client } from '../access/client.js';
import type { LimitState } from '../limits/limit-state.js';
import { type Limits, overLimit } from '../limits/limits.js';

/** What was found out about who asks, kept with the request. */
export interface Admitted {
  client: Client;
  /** Undefined where limits are off. */
  limit: LimitState | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before admission, and after a refused credential. */
    admitted: Admitted | null;
  }
}

/** Decides who may ask what, in the order decided: credential 401, plan 403, limit 429. */
export class Admission {
  constructor(
    private readonly access: Access,
    /** Undefined where limits are off. */
    private readonly limits: Limits | undefined,
  ) {}

  /**
   * Returns nothing where nothing has to be waited for. Throws or rejects with DomainError: unauthenticated,
   * permissionDenied, rateLimited, unavailable.
   */
  admit(request: FastifyRequest, paid: boolean): Promise<void> | undefined {
    const client = this.access.clientOf(request);
    if (!(client instanceof Promise)) return this.#admitClient(request, client, paid);
    return client.then((found) => this.#admitClient(request, found, paid));
  }

  /** Takes the request back from the count: it was answered with 304. */
  async giveBack(admitted: Admitted): Promise<void> {
    admitted.limit = await this.limits?.giveBack(admitted.client);
  }

  /** Where whoever asks stands, of requests that are answered before they are counted. */
  standing(request: FastifyRequest): LimitState | Promise<LimitState> | undefined {
    const { admitted } = request;
    if (admitted?.limit !== undefined) return admitted.limit;
    return this.limits?.peek(admitted?.client ?? this.access.atAddress(request.ip));
  }

  #admitClient(request: FastifyRequest, client: Client, paid: boolean): Promise<void> | undefined {
    const admitted: Admitted = { client, limit: undefined };
    request.admitted = admitted;
    if (paid && !client.policy.paid) {
      throw client.keyId === undefined
        ? new DomainError('unauthenticated', 'this operation needs an API key of a paid plan')
        : new DomainError('permissionDenied', `the plan ${client.policy.name} does not include this operation`);
    }
    return this.limits === undefined ? undefined : this.#count(this.limits, admitted);
  }

  async #count(limits: Limits, admitted: Admitted): Promise<void> {
    const state = await limits.take(admitted.client);
    admitted.limit = state;
    if (!state.allowed) throw overLimit(state);
  }
}
