import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { toDomainError } from './map-error.js';
import { sendProblem } from './problem.js';

/** Answers and, where it is our fault, logs whatever a request threw. */
export function answerError(logger: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toDomainError(thrown);
  if (error.code === 'internal') {
    logger.error({ err: thrown, requestId: request.id, route: request.routeOptions.url }, 'request failed');
  }
  // Nothing can be told any more once an answer has begun: the broken connection tells it.
  if (reply.sent) return;
  sendProblem(request, reply, error);
}

/** The one filter of every app: all errors of handlers, of Nest and of Fastify come here. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger: Logger;
  constructor(logger: Logger) {
    this.#logger = logger;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(this.#logger, thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
