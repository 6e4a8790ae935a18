import { compress, type Encoding, negotiate } from './encodings.js';

const smallestBytes = 1_024;
const headersMax = 256;
// Above it one compression would hold up everybody else for milliseconds.
const largestBytes = 4 * 1024 * 1024;

/**
 * Compresses bodies, and keeps what was compressed under the entity tag of the body: equal tags are equal bytes. Bounded:
 * the oldest goes first.
 */
export class CompressedBodies {
  readonly #bodies = new Map<string, Buffer>();
  readonly #negotiated = new Map<string, Encoding | undefined>();
  #bytes = 0;

  constructor(private readonly bytesMax: number) {}

  /** The coding for a body of this length; undefined where it goes out as it is. */
  encodingFor(acceptEncoding: string | undefined, bytes: number): Encoding | undefined {
    if (acceptEncoding === undefined || bytes < smallestBytes || bytes > largestBytes) return undefined;
    if (this.#negotiated.has(acceptEncoding)) return this.#negotiated.get(acceptEncoding);
    const encoding = negotiate(acceptEncoding);
    if (this.#negotiated.size >= headersMax) this.#negotiated.clear();
    this.#negotiated.set(acceptEncoding, encoding);
    return encoding;
  }

  /** A body in one piece or several. `etag` without encoding; a body without one is not kept. */
  compressed(pieces: readonly Buffer[], encoding: Encoding, etag: string | undefined): Buffer {
    if (etag === undefined) return compress(wholeOf(pieces), encoding);
    const key = encoding + etag;
    const known = this.#bodies.get(key);
    if (known !== undefined) return known;
    const made = compress(wholeOf(pieces), encoding);
    // What zlib gives is a slice of a larger chunk, which would be kept whole.
    const kept = Buffer.allocUnsafeSlow(made.length);
    made.copy(kept);
    this.#keep(key, kept);
    return kept;
  }

  get bytes(): number {
    return this.#bytes;
  }

  #keep(key: string, body: Buffer): void {
    if (body.length > this.bytesMax) return;
    this.#bodies.set(key, body);
    this.#bytes += body.length;
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bytes <= this.bytesMax) return;
      this.#bodies.delete(oldest);
      this.#bytes -= length;
    }
  }
}

const wholeOf = (pieces: readonly Buffer[]): Buffer => {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
};
