import { type CheckResult, DomainError, type Logger } from '@jetton-analytics/service';
import { carryContext, inChildSpan, isTracing, SpanKind } from '@jetton-analytics/tracing';
import { Pool } from 'undici';
import { Exchange, type UpstreamAnswer } from './exchange.js';
import { KnownBodies } from './known-bodies.js';
import type { Question } from './question.js';

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
/** Questions that may wait for each connection. */
const waitingPerConnection = 16;
const knownBytesMax = 16 * 1024 * 1024;

/** An app behind the gateway. Its answers come as bytes, never parsed. */
export class Upstream {
  readonly #pool: Pool;
  readonly #known = new KnownBodies(knownBytesMax);
  readonly #openMax: number;
  // A set of what is open would keep a part of it: V8's outgrown tables name their successors, and live for long.
  #open = 0;
  #away = false;

  constructor(private readonly options: UpstreamOptions) {
    const { url, connectionsMax, timeoutMs } = options;
    this.#pool = new Pool(url, {
      connections: connectionsMax,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      // For what has been given up; the deadline itself is the exchange's.
      headersTimeout: timeoutMs * 2,
      bodyTimeout: timeoutMs * 2,
    });
    this.#openMax = connectionsMax * waitingPerConnection;
  }

  /** The answer, whatever its status. Rejects with DomainError: unavailable, deadlineExceeded after `timeoutMs`. */
  ask(question: Question): Promise<UpstreamAnswer> {
    return question.body === undefined ? this.#known.answer(question, this.#traced) : this.#traced(question);
  }

  readonly #traced = (question: Question): Promise<UpstreamAnswer> => {
    const { name } = this.options;
    const attributes = { 'peer.service': name, 'http.request.method': question.body === undefined ? 'GET' : 'POST' };
    return inChildSpan(
      `ask ${name}`,
      () => ({ kind: SpanKind.CLIENT, attributes }),
      () => this.#ask(question),
    );
  };

  #ask({ path, requestId, ifNoneMatch, body }: Question): Promise<UpstreamAnswer> {
    if (this.#open >= this.#openMax) {
      return Promise.reject(new DomainError('unavailable', 'the service is busy, try again'));
    }
    const headers = ['x-request-id', requestId];
    if (ifNoneMatch !== undefined) headers.push('if-none-match', ifNoneMatch);
    if (body !== undefined) headers.push('content-type', 'application/json');
    if (isTracing()) headers.push(...Object.entries(carryContext()).flat());
    const method = body === undefined ? 'GET' : 'POST';
    const options = { path, method, headers, body: body ?? null } as const;
    this.#open += 1;
    const dispatch = (handler: Exchange) => void this.#pool.dispatch(options, handler);
    return new Exchange(dispatch, this.options.timeoutMs, this.#ended).promise;
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

  readonly #ended = (error: DomainError | undefined): void => {
    this.#open -= 1;
    const { name, logger } = this.options;
    if ((error !== undefined) === this.#away) return;
    this.#away = error !== undefined;
    if (error === undefined) logger.info({ upstream: name }, 'the app behind answers again');
    else logger.warn({ upstream: name, err: error.cause ?? error }, 'the app behind does not answer');
  };
}
