import { type Operation, operations } from '@jetton-analytics/common';
import { Clock, DomainError, SERVER } from '@jetton-analytics/service';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AdmissionModule } from '../admission/admission.module.js';
import { Admission } from '../admission/admission.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { Delivery } from '../delivery/delivery.js';
import { preflightHeaders } from '../delivery/static-headers.js';
import { ping } from '../system/ping.js';
import type { AnswerCache } from '../upstream/answer-cache.js';
import { ANSWER_CACHE, UpstreamModule } from '../upstream/upstream.module.js';
import { Upstreams } from '../upstream/upstreams.js';
import { forward } from './forward.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** `/v1/jettons/{address}` as the router takes it. */
const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The routes of every operation, made from the contracts. Not controllers: each would say the same. */
@Module({ imports: [AdmissionModule, DeliveryModule, UpstreamModule] })
export class OperationsModule implements OnModuleInit {
  constructor(
    @Inject(SERVER) private readonly server: FastifyInstance,
    private readonly clock: Clock,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(Delivery) private readonly delivery: Delivery,
    @Inject(Upstreams) private readonly upstreams: Upstreams,
    @Inject(ANSWER_CACHE) private readonly answers: AnswerCache | undefined,
  ) {}

  onModuleInit(): void {
    for (const operation of operations) {
      const { method, path, paid } = operation;
      this.server.route({
        method,
        url: routeOf(path),
        onRequest: (request, _reply, done) => {
          // Fastify waits for either the call or the promise.
          const waiting = this.admission.admit(request, paid);
          if (waiting === undefined) done();
          return waiting;
        },
        handler: this.#handlerOf(operation),
      });
    }
    for (const path of new Set(operations.map((operation) => operation.path))) addPreflight(this.server, path);
  }

  #handlerOf(operation: Operation): Handler {
    const { app } = operation;
    if (app === 'gateway') return (request, reply) => this.#ping(request, reply);
    const { admission, answers, delivery } = this;
    const parts = { upstream: this.upstreams.get(app), answers, admission, delivery };
    return (request, reply) => forward(parts, operation, request, reply);
  }

  async #ping(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const body = ping(request.url, this.clock.now());
    const answer = { status: 200, body, contentType: 'application/json', cacheControl: 'no-store' };
    this.delivery.send(request, reply, answer, request.admitted?.limit);
  }
}

/** Browsers ask before they send; to anybody else OPTIONS is a method like any other that is not supported. */
function addPreflight(server: FastifyInstance, path: string): void {
  const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method);
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
  const headers = preflightHeaders(allow);
  server.options(routeOf(path), (request, reply) => {
    if (request.headers.origin === undefined || request.headers['access-control-request-method'] === undefined) {
      throw new DomainError('methodNotAllowed', `the path supports ${allow.join(', ')}`, { allow });
    }
    reply.hijack();
    reply.raw.writeHead(204, [...headers, 'x-request-id', request.id]).end();
  });
}
