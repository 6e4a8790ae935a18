import { isKnown } from '../delivery/etags.js';
import type { UpstreamAnswer } from './exchange.js';
import type { Question } from './question.js';

interface Known {
  readonly etag: string;
  readonly contentType: string | undefined;
  readonly body: readonly Buffer[];
  readonly bytes: number;
}

// A smaller body costs hardly more than to be told that it has not changed.
const bodyBytesMin = 16 * 1024;
const bodyBytesMax = 1024 * 1024;
// A header that is long already is not made longer: there is a bound to what the app behind reads.
const tagsLengthMax = 1_024;
// Key and objects around a body, roughly.
const overheadBytes = 1_024;

/**
 * Large bodies by the question they answered. The app behind is asked every time, with the tag of the body that is here
 * (RFC 9110, 13.1.2): it tells what has changed, and sends nothing where nothing has. Bounded: the one that was not asked
 * for longest goes first.
 */
export class KnownBodies {
  readonly #known = new Map<string, Known>();
  #bytes = 0;

  constructor(private readonly bytesMax: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The answer to a question without a body, as `ask` gives it for whoever knows none. Rejects as `ask` does. */
  async answer(question: Question, ask: (question: Question) => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
    const { path, ifNoneMatch } = question;
    const known = this.#known.get(path);
    const isAskedAsItIs = known === undefined || isKnown(ifNoneMatch, known.etag);
    if (isAskedAsItIs || (ifNoneMatch?.length ?? 0) > tagsLengthMax) return this.#keep(path, await ask(question));
    const tags = ifNoneMatch === undefined ? known.etag : `${ifNoneMatch}, ${known.etag}`;
    const answer = await ask({ ...question, ifNoneMatch: tags });
    if (answer.status !== 304 || answer.headers.etag !== known.etag) return this.#keep(path, answer);
    // As used last, unless another answer to the same question has come meanwhile.
    if (this.#known.get(path) === known) {
      this.#known.delete(path);
      this.#known.set(path, known);
    }
    return { status: 200, headers: { ...answer.headers, 'content-type': known.contentType }, body: known.body };
  }

  #keep(path: string, answer: UpstreamAnswer): UpstreamAnswer {
    const { status, headers, body } = answer;
    if (status !== 200 || headers.etag === undefined) return answer;
    const bodyBytes = body.reduce((sum, { length }) => sum + length, 0);
    this.#drop(path);
    if (bodyBytes < bodyBytesMin || bodyBytes > bodyBytesMax) return answer;
    const bytes = bodyBytes + path.length + overheadBytes;
    this.#known.set(path, { etag: headers.etag, contentType: headers['content-type'], body, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= this.bytesMax) break;
      this.#drop(oldest);
    }
    return answer;
  }

  #drop(path: string): void {
    const known = this.#known.get(path);
    if (known === undefined) return;
    this.#known.delete(path);
    this.#bytes -= known.bytes;
  }
}
