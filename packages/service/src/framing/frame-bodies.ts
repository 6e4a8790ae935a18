const keptBytesMax = 8 * 1024 * 1024;
const bodyBytesMin = 1_024;
const bodyBytesMax = 1024 * 1024;

/**
 * Bodies that were sent over a connection, by their names: 1, 2, and so on. Both sides keep the newest, as many as fit into
 * the same number of bytes, so both know at each place of the stream which of them the other one has.
 */
export class FrameBodies<Body extends { readonly length: number }> {
  readonly #bodies = new Map<number, Body>();
  #bytes = 0;

  constructor(private readonly bytesMax = keptBytesMax) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(name: number): Body | undefined {
    return this.#bodies.get(name);
  }

  add(name: number, body: Body): void {
    this.#bodies.set(name, body);
    this.#bytes += body.length;
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bytes <= this.bytesMax) return;
      this.#bodies.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** How a body is sent: under which name, 0 for none, and whether the other side has it already. */
export interface PlacedBody {
  readonly name: number;
  readonly isThere: boolean;
}

const unnamed: PlacedBody = { name: 0, isThere: false };

/** Says how to send a body: one that is sent for the second time gets a name, and from then on goes as its name alone. */
export class SentBodies {
  /** 0: was sent once, without a name. */
  readonly #names = new WeakMap<Buffer, number>();
  readonly #there: FrameBodies<{ readonly length: number }>;
  #last = 0;

  constructor(bytesMax?: number) {
    this.#there = new FrameBodies(bytesMax);
  }

  /** In the order in which answers are sent. A body is known by its identity: nobody may change it once it was sent. */
  place(body: Buffer): PlacedBody {
    const { length } = body;
    if (length < bodyBytesMin || length > bodyBytesMax) return unnamed;
    const name = this.#names.get(body);
    if (name === undefined) {
      this.#names.set(body, 0);
      return unnamed;
    }
    if (this.#there.get(name) !== undefined) return { name, isThere: true };
    this.#last += 1;
    this.#names.set(body, this.#last);
    this.#there.add(this.#last, { length });
    return { name: this.#last, isThere: false };
  }
}
