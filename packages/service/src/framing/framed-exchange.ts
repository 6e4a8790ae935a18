import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isFrameLine } from './frames.js';

/** A GET without a body that came in a frame, as Fastify takes it. */
export class FramedRequest extends IncomingMessage {
  constructor(socket: Socket, path: string, headers: Record<string, string>) {
    super(socket);
    this.method = 'GET';
    this.url = path;
    this.headers = headers;
    this.httpVersion = '1.1';
    this.httpVersionMajor = 1;
    this.httpVersionMinor = 1;
    this.complete = true;
  }
}

export interface WholeAnswer {
  readonly status: number;
  /** Names and values, flat. */
  readonly headers: readonly string[];
  readonly body: readonly Buffer[];
}

/** What Fastify writes an answer to, given to `send` when it is whole. It never touches the socket. */
export class FramedResponse extends ServerResponse {
  #status: number | undefined;
  #headers: string[] = [];
  readonly #body: Buffer[] = [];
  #isEnded = false;

  constructor(
    request: FramedRequest,
    private readonly send: (answer: WholeAnswer) => void,
  ) {
    super(request);
  }

  static {
    // Properties of the class below as far as types tell, accessors that look at what it has written as far as Node does.
    const { prototype } = FramedResponse;
    Object.defineProperty(prototype, 'headersSent', {
      get(this: FramedResponse) {
        return this.#status !== undefined;
      },
    });
    Object.defineProperty(prototype, 'writableEnded', {
      get(this: FramedResponse) {
        return this.#isEnded;
      },
    });
  }

  override writeHead(status: number, ...more: unknown[]): this {
    this.#status = status;
    this.statusCode = status;
    const headers = more.find((one) => typeof one === 'object' && one !== null) ?? {};
    const flat = Array.isArray(headers) ? headers : Object.entries(headers).flat();
    for (let at = 0; at + 1 < flat.length; at += 2) this.#addHeader(String(flat[at]), String(flat[at + 1]));
    return this;
  }

  override write(chunk: unknown): boolean {
    if (this.#status === undefined) this.writeHead(this.statusCode);
    if (Buffer.isBuffer(chunk)) this.#body.push(chunk);
    else if (typeof chunk === 'string') this.#body.push(Buffer.from(chunk));
    return true;
  }

  override end(chunk?: unknown): this {
    if (this.#isEnded) return this;
    this.write(chunk);
    this.#isEnded = true;
    this.send({ status: this.#status ?? this.statusCode, headers: this.#headers, body: this.#body });
    return this;
  }

  #addHeader(name: string, text: string): void {
    // The frame has its own length.
    const lower = name.toLowerCase();
    if (lower !== 'content-length' && isFrameLine(lower) && isFrameLine(text)) this.#headers.push(lower, text);
  }
}
