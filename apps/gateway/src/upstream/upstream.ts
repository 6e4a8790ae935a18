import type { IncomingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { type CheckResult, DomainError, type Logger } from '@jetton-analytics/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Pool } from 'undici';
import { requestHeadersOf, responseHeadersOf, targetPathOf } from './forwarded-headers.js';

export interface UpstreamOptions {
  /** For logs and health; no host name. */
  readonly name: string;
  readonly url: string;
  readonly timeoutMs: number;
  readonly connectionsMax: number;
  readonly logger: Logger;
}

const connectTimeoutMs = 1_000;
const readinessTimeoutMs = 1_500;
const problemType = 'application/problem+json';

// The other side closed a connection that we held idle just as we used it.
const closedCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** An app behind the gateway. Its answers pass through as bytes, never parsed. */
export class Upstream {
  readonly #pool: Pool;
  #away = false;

  constructor(private readonly options: UpstreamOptions) {
    this.#pool = new Pool(options.url, {
      connections: options.connectionsMax,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    });
  }

  /**
   * Answers a request with what the app behind answers to it. Throws DomainError: unavailable where it is away,
   * deadlineExceeded after `timeoutMs`. Once an answer has begun, a failure breaks the connection.
   */
  async forward(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.options.timeoutMs);
    try {
      await this.#stream(request, reply, deadline.signal).catch((error: unknown) => {
        if (reply.sent || !closedCodes.has(codeOf(error))) throw error;
        return this.#stream(request, reply, deadline.signal);
      });
      this.#cameBack();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (reply.sent) {
        // Either side broke off in the middle: nothing can be told any more but that the answer is not whole.
        reply.raw.destroy();
        return;
      }
      this.#wentAway(error);
      if (deadline.signal.aborted || codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT') {
        throw new DomainError('deadlineExceeded', 'the answer was not ready in time', { cause: error });
      }
      throw new DomainError('unavailable', 'a needed part of the service is away, try again', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether the app behind says that it is ready. Does not throw. */
  async readiness(): Promise<CheckResult> {
    try {
      const { statusCode, body } = await this.#pool.request({
        path: '/readyz',
        method: 'GET',
        signal: AbortSignal.timeout(readinessTimeoutMs),
      });
      await body.dump();
      return { ok: statusCode === 200, detail: statusCode === 200 ? 'ready' : 'not ready' };
    } catch {
      return { ok: false, detail: 'away' };
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #stream(request: FastifyRequest, reply: FastifyReply, signal: AbortSignal): Promise<void> {
    let foreign = false;
    await this.#pool.stream(
      {
        path: targetPathOf(request.url),
        method: request.method === 'HEAD' ? 'HEAD' : 'GET',
        headers: requestHeadersOf(request.headers, request.id),
        signal,
      },
      ({ statusCode, headers }) => {
        // A failure that is not told in our form comes from something in between, a proxy for instance.
        foreign = statusCode >= 500 && !typeOf(headers).startsWith(problemType);
        if (foreign) return discard();
        reply.hijack();
        // The request's id, above all: what Fastify would send itself.
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value);
        }
        return reply.raw.writeHead(statusCode, responseHeadersOf(headers));
      },
    );
    if (foreign) throw new DomainError('unavailable', 'a needed part of the service is away, try again');
  }

  #wentAway(error: unknown): void {
    if (this.#away) return;
    this.#away = true;
    this.options.logger.warn({ upstream: this.options.name, err: error }, 'the app behind does not answer');
  }

  #cameBack(): void {
    if (!this.#away) return;
    this.#away = false;
    this.options.logger.info({ upstream: this.options.name }, 'the app behind answers again');
  }
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

const typeOf = (headers: IncomingHttpHeaders): string => headers['content-type'] ?? '';

const discard = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
