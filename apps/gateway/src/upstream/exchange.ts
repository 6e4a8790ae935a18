import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@jetton-analytics/service';
import type { Dispatcher } from 'undici';

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** In the pieces in which it came: a list of 175 KB is not put together only to be sent on. */
  readonly body: readonly Buffer[];
}

// The other side closed a connection that we held idle just as we used it, or broke off in the middle.
const closedCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const triesMax = 2;
const bodyBytesMax = 16 * 1024 * 1024;
const problemType = 'application/problem+json';

const away = (cause?: unknown) =>
  new DomainError('unavailable', 'a needed part of the service is away, try again', { cause });
const late = (cause?: unknown) => new DomainError('deadlineExceeded', 'the answer was not ready in time', { cause });

/**
 * One question to an app behind and its whole answer, asked a second time where the connection was closed under it (all
 * operations only read). Settles once; a failure is a DomainError.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly promise: Promise<UpstreamAnswer>;
  #resolve!: (answer: UpstreamAnswer) => void; // assigned in the constructor, by the promise
  #reject!: (error: DomainError) => void; // likewise
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #tries = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    private readonly dispatch: (handler: Exchange) => void,
    timeoutMs: number,
    private readonly onEnd: (error: DomainError | undefined) => void,
  ) {
    this.#deadline = setTimeout(() => this.#fail(late()), timeoutMs);
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#ask();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('nobody waits any more'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    this.#chunks = [];
    this.#bytes = 0;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > bodyBytesMax) controller.abort(new Error('the answer is too large'));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    // A failure that is not told in our form comes from something in between, a proxy for instance.
    if (this.#status >= 500 && !(this.#headers['content-type'] ?? '').startsWith(problemType)) {
      this.#fail(away(new Error(`status ${this.#status} in a foreign form`)));
      return;
    }
    this.#settle(undefined);
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#chunks });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    const code = codeOf(error);
    if (closedCodes.has(code) && this.#tries < triesMax) this.#ask();
    else this.#fail(timeoutCodes.has(code) ? late(error) : away(error));
  }

  #ask(): void {
    this.#tries += 1;
    this.dispatch(this);
  }

  #fail(error: DomainError): void {
    if (this.#settled) return;
    this.#settle(error);
    this.#controller?.abort(error);
    this.#reject(error);
  }

  #settle(error: DomainError | undefined): void {
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.onEnd(error);
  }
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
