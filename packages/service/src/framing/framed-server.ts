import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SentBodies } from './frame-bodies.js';
import { FrameReader } from './frame-reader.js';
import { FramedRequest, FramedResponse, type WholeAnswer } from './framed-exchange.js';
import { answerFrameHead, frameProtocol, leaveFrame, readQuestion } from './frames.js';

/** Path and header of a question together: as much as HTTP takes. */
const questionBytesMax = 64 * 1024;
/** Answers that wait for a client that does not read: then no more of its questions are read. */
const waitingBytesMax = 16 * 1024 * 1024;
const leaveEveryMs = 50;
const noName = { name: 0, isThere: false };

const accepted = Buffer.from(
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${frameProtocol}\r\n\r\n`,
);

/** Whether a request asks for its connection to carry frames from now on. */
export const asksForFrames = ({ headers }: IncomingMessage): boolean => headers.upgrade === frameProtocol;

/** Answers framed questions as if each had come as a GET over HTTP: by the same routes, with the same hooks. */
export class FramedServer {
  readonly #links = new Set<FramedConnection>();

  constructor(server: Server, route: (request: IncomingMessage, response: ServerResponse) => void) {
    server.on('upgrade', (_request: IncomingMessage, socket: Duplex, first: Buffer) => {
      // Of an HTTP server, each is a socket of the network.
      const link = new FramedConnection(socket as Socket, route);
      this.#links.add(link);
      socket.once('close', () => this.#links.delete(link));
      link.begin(first);
    });
  }

  /** Tells whoever asks to ask no more, answers what is under way and resolves when all have gone. */
  async leave(): Promise<void> {
    for (const link of this.#links) link.leave();
    while (this.#links.size > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, leaveEveryMs);
      });
      for (const link of this.#links) link.endIfIdle();
    }
  }
}

class FramedConnection {
  /** Questions that are not answered yet. */
  #open = 0;
  readonly #bodies = new SentBodies();
  #waiting: Buffer[] = [];
  #answered: FramedResponse[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly route: (request: IncomingMessage, response: ServerResponse) => void,
  ) {}

  begin(first: Buffer): void {
    const { socket } = this;
    const reader = new FrameReader(questionBytesMax, (frame) => this.#answer(frame));
    const read = (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch {
        socket.destroy(); // whoever this is, it does not speak in frames
        return;
      }
      if (socket.writableLength > waitingBytesMax) {
        socket.pause();
        socket.once('drain', () => socket.resume());
      }
    };
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.write(accepted);
    if (first.length > 0) read(first);
    socket.on('data', read);
  }

  leave(): void {
    this.socket.write(leaveFrame());
  }

  endIfIdle(): void {
    if (this.#open === 0) this.socket.destroySoon();
  }

  #answer(frame: Buffer): void {
    const { number, path, headers } = readQuestion(frame);
    const request = new FramedRequest(this.socket, path, headers);
    const response = new FramedResponse(request, (answer) => this.#send(number, response, answer));
    this.#open += 1;
    this.route(request, response);
  }

  #send(number: number, response: FramedResponse, { status, headers, body }: WholeAnswer): void {
    this.#open -= 1;
    if (this.#waiting.length === 0) setImmediate(this.#flush);
    const [only] = body;
    const { name, isThere } = only !== undefined && body.length === 1 ? this.#bodies.place(only) : noName;
    const bodyBytes = isThere ? 0 : body.reduce((sum, { length }) => sum + length, 0);
    this.#waiting.push(answerFrameHead({ number, bodyName: name, status, headers, bodyBytes }));
    if (!isThere) this.#waiting.push(...body);
    this.#answered.push(response);
  }

  /** All answers that are made within one round of the event loop go out in one system call. */
  readonly #flush = (): void => {
    const { socket } = this;
    const waiting = this.#waiting;
    const answered = this.#answered;
    this.#waiting = [];
    this.#answered = [];
    socket.cork();
    for (const piece of waiting) socket.write(piece);
    socket.uncork();
    for (const response of answered) response.emit('finish');
  };
}
