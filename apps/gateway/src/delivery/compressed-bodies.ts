import { KeptBodies } from '@jetton-analytics/service';
import { compress, type Encoding, negotiate } from './encodings.js';

const smallestBytes = 1_024;
const headersMax = 256;
// Above it one compression would hold up everybody else for milliseconds.
const largestBytes = 4 * 1024 * 1024;

/** Compresses bodies, and keeps what was compressed under the entity tag of the body. Bounded: the oldest goes first. */
export class CompressedBodies {
  readonly #bodies: KeptBodies;
  readonly #negotiated = new Map<string, Encoding | undefined>();

  constructor(bytesMax: number) {
    this.#bodies = new KeptBodies(bytesMax);
  }

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
    // What zlib gives is a slice of a larger chunk, which would be kept whole.
    return this.#bodies.get(encoding + etag, () => copyOf(compress(wholeOf(pieces), encoding)));
  }

  get bytes(): number {
    return this.#bodies.bytes;
  }
}

function copyOf(slice: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(slice.length);
  slice.copy(copy);
  return copy;
}

const wholeOf = (pieces: readonly Buffer[]): Buffer => {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
};
