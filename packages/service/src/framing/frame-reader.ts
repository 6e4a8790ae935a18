const lengthBytes = 4;
/** Of the number, which every frame has. */
const frameBytesMin = 4;

/** Puts frames together from what a socket gives. */
export class FrameReader {
  readonly #length = Buffer.allocUnsafe(lengthBytes);
  #lengthRead = 0;
  /** The frame under way and how much of it is here; undefined between frames. */
  #frame: Buffer | undefined;
  #frameRead = 0;

  /** `onFrame` gets what follows the length of a frame. With `isOwn` false it is a part of what `push` was given. */
  constructor(
    private readonly frameBytesMax: number,
    private readonly onFrame: (frame: Buffer, isOwn: boolean) => void,
  ) {}

  /** Throws RangeError for a frame that is too large or too small to be one, and what `onFrame` throws. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#frame !== undefined) at += this.#fill(this.#frame, chunk, at);
      else if (this.#lengthRead === 0 && chunk.length - at >= lengthBytes) {
        at = this.#begin(chunk, at + lengthBytes, chunk.readUInt32LE(at));
      } else {
        this.#length[this.#lengthRead] = chunk[at] ?? 0;
        this.#lengthRead += 1;
        at += 1;
        if (this.#lengthRead < lengthBytes) continue;
        this.#lengthRead = 0;
        at = this.#begin(chunk, at, this.#length.readUInt32LE(0));
      }
    }
  }

  /** A frame of this length begins at a place of the chunk. Returns how far the chunk is read. */
  #begin(chunk: Buffer, at: number, bytes: number): number {
    if (bytes > this.frameBytesMax || bytes < frameBytesMin) throw new RangeError(`a frame of ${bytes} bytes`);
    const end = at + bytes;
    if (end <= chunk.length) {
      this.onFrame(chunk.subarray(at, end), false);
      return end;
    }
    this.#frame = Buffer.allocUnsafeSlow(bytes);
    this.#frameRead = 0;
    return at;
  }

  #fill(frame: Buffer, chunk: Buffer, at: number): number {
    const taken = chunk.copy(frame, this.#frameRead, at);
    this.#frameRead += taken;
    if (this.#frameRead === frame.length) {
      this.#frame = undefined;
      this.onFrame(frame, true);
    }
    return taken;
  }
}
