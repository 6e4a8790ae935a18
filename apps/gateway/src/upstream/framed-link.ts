import { connect, type Socket } from 'node:net';
import {
  FrameBodies,
  type FramedAnswer,
  FrameReader,
  frameNumberMax,
  frameProtocol,
  isFrameLine,
  questionFrame,
  readAnswer,
} from '@jetton-analytics/service';
import type { Dispatcher } from 'undici';

/** A GET. `headers`: names and values, flat. */
export interface FramedQuestion {
  readonly path: string;
  readonly headers: readonly string[];
}

export interface FramedLinkOptions {
  readonly host: string;
  readonly port: number;
  readonly answerBytesMax: number;
  /** Until it is known whether the other side speaks in frames. */
  readonly connectTimeoutMs: number;
  readonly idleMs: number;
  /** Takes a question that cannot be asked here, since the other side does not speak in frames. */
  readonly onRefused: (question: FramedQuestion, handler: Dispatcher.DispatchHandler) => void;
  /** No question must be asked any more. May be called again. */
  readonly onLeaving: (link: FramedLink) => void;
}

const handshakeBytesMax = 16 * 1024;
const headersEnd = '\r\n\r\n';

class SocketClosed extends Error {
  readonly code = 'UND_ERR_SOCKET';
  constructor() {
    super('the connection was closed');
  }
}

// Bytes are taken out of it before anything else is read, whichever link they are of.
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

/** A connection to an app behind that carries many questions at once, in frames. It tells handlers what undici would. */
export class FramedLink {
  readonly #open = new Map<number, Asked>();
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #isLeaving = false;
  readonly #bodies = new FrameBodies<Buffer>();
  /** What came before the first frame. */
  #handshake = '';
  #number = 0;
  #unsent: Buffer[] = [];
  #readAtMs = 0;

  constructor(private readonly options: FramedLinkOptions) {
    const { host, port, answerBytesMax, connectTimeoutMs } = options;
    this.#reader = new FrameReader(answerBytesMax, (frame, isOwn) => this.#take(frame, isOwn));
    this.#socket = connect({
      host,
      port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (bytes, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
          return true;
        },
      },
    });
    this.#socket.setTimeout(connectTimeoutMs).on('timeout', () => this.#idle());
    this.#socket.once('connect', () => this.#socket.write(upgradeOf(host, port)));
    this.#socket.once('error', (error) => this.#close(error));
    this.#socket.once('end', () => this.#socket.end());
    this.#socket.once('close', () => this.#close(new SocketClosed()));
  }

  /** Questions without an answer. */
  get open(): number {
    return this.#open.size;
  }

  /** Both must be single lines (isFrameLine). Must not be called once the link leaves. */
  ask(question: FramedQuestion, handler: Dispatcher.DispatchHandler): void {
    this.#number = this.#number === frameNumberMax ? 1 : this.#number + 1;
    const number = this.#number;
    const asked = new Asked(question, handler, (gaveUp) => this.#forget(number, gaveUp));
    this.#open.set(number, asked);
    handler.onRequestStart?.(asked, undefined);
    if (this.#unsent.length === 0 && this.#state === 'open') setImmediate(this.#flush);
    this.#unsent.push(questionFrame(number, question.path, question.headers));
  }

  /** Asks no more, and closes when everything is answered. */
  leave(): void {
    this.#isLeaving = true;
    this.options.onLeaving(this);
    if (this.#open.size === 0) this.#socket.destroySoon();
  }

  /** Resolves once it is closed. */
  get closed(): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve());
    });
  }

  #read(chunk: Buffer): void {
    try {
      if (this.#state === 'opening') this.#shakeHands(chunk);
      else {
        this.#readAtMs = performance.now();
        this.#reader.push(chunk);
      }
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : undefined);
    }
  }

  #shakeHands(chunk: Buffer): void {
    this.#handshake += chunk.toString('latin1');
    const end = this.#handshake.indexOf(headersEnd);
    if (end < 0 && this.#handshake.length <= handshakeBytesMax) return;
    if (end < 0 || !this.#handshake.startsWith('HTTP/1.1 101 ')) {
      this.#refuse();
      return;
    }
    this.#state = 'open';
    this.#socket.setTimeout(this.options.idleMs);
    this.#flush();
    const rest = this.#handshake.slice(end + headersEnd.length);
    if (rest !== '') this.#reader.push(Buffer.from(rest, 'latin1'));
  }

  #refuse(): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    this.#state = 'closed';
    this.options.onLeaving(this);
    this.#socket.destroy();
    for (const { question, handler } of open) this.options.onRefused(question, handler);
  }

  #take(frame: Buffer, isOwn: boolean): void {
    const answer = readAnswer(frame);
    if (answer === undefined) {
      this.leave();
      return;
    }
    const body = this.#bodyOf(answer, isOwn);
    const asked = this.#open.get(answer.number);
    if (asked === undefined) return; // nobody waits any more
    this.#open.delete(answer.number);
    const { handler } = asked;
    handler.onResponseStart?.(asked, answer.status, answer.headers);
    if (body.length > 0) handler.onResponseData?.(asked, body);
    handler.onResponseEnd?.(asked, {});
    if (this.#isLeaving && this.#open.size === 0) this.#socket.destroySoon();
  }

  /** The body, kept where it has a name. Throws RangeError for a name that it was never told. */
  #bodyOf({ bodyName, body }: FramedAnswer, isOwn: boolean): Buffer {
    if (bodyName !== 0 && body.length === 0) {
      const kept = this.#bodies.get(bodyName);
      if (kept === undefined) throw new RangeError(`no body ${bodyName}`);
      return kept;
    }
    const own = isOwn ? body : Buffer.from(body);
    if (bodyName !== 0) this.#bodies.add(bodyName, own);
    return own;
  }

  #forget(number: number, { askedAtMs }: Asked): void {
    if (!this.#open.delete(number)) return;
    // Nothing at all has come since: the other side is gone without a word, and so is everything that was asked of it.
    if (this.#readAtMs < askedAtMs) this.#socket.destroy();
  }

  /** All questions that come within one round of the event loop go out in one system call. */
  readonly #flush = (): void => {
    const unsent = this.#unsent;
    this.#unsent = [];
    const [only] = unsent;
    if (only !== undefined) this.#socket.write(unsent.length === 1 ? only : Buffer.concat(unsent));
  };

  /** Nothing has moved for long: idle, or a server that takes a connection and says nothing. */
  #idle(): void {
    if (this.#state === 'opening') this.#socket.destroy();
    else if (this.#open.size === 0) this.leave();
  }

  #close(error: Error): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#socket.destroy();
    this.options.onLeaving(this);
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const asked of open) asked.handler.onResponseError?.(asked, error);
  }
}

/** Whether both parts of a question can stand in a frame. */
export const fitsFrame = ({ path, headers }: FramedQuestion): boolean =>
  isFrameLine(path) && headers.every(isFrameLine);

const upgradeOf = (host: string, port: number): string =>
  `GET /readyz HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: Upgrade\r\nUpgrade: ${frameProtocol}\r\n\r\n`;

/** A question under way. */
class Asked implements Dispatcher.DispatchController {
  readonly askedAtMs = performance.now();
  readonly paused = false;
  reason: Error | null = null;

  constructor(
    readonly question: FramedQuestion,
    readonly handler: Dispatcher.DispatchHandler,
    private readonly forget: (asked: Asked) => void,
  ) {}

  get aborted(): boolean {
    return this.reason !== null;
  }

  abort(reason: Error): void {
    this.reason = reason;
    this.forget(this);
  }

  /** An answer comes whole: there is nothing to hold back. */
  pause(): void {}

  resume(): void {}
}
