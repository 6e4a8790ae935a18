/**
 * A map of texts that mostly has one entry and then costs a third of a `Map`: that one lies in it, only others are in a
 * `Map`. Of hundreds of thousands of jettons most have one market.
 */
export class FewMap<Value extends {}> {
  #key: string | undefined;
  #value: Value | undefined;
  #others: Map<string, Value> | undefined;

  get size(): number {
    return (this.#key === undefined ? 0 : 1) + (this.#others?.size ?? 0);
  }

  get(key: string): Value | undefined {
    return key === this.#key ? this.#value : this.#others?.get(key);
  }

  has(key: string): boolean {
    return key === this.#key || this.#others?.has(key) === true;
  }

  set(key: string, value: Value): void {
    if (key === this.#key || (this.#key === undefined && this.#others?.has(key) !== true)) {
      this.#key = key;
      this.#value = value;
    } else (this.#others ??= new Map<string, Value>()).set(key, value);
  }

  delete(key: string): void {
    if (key === this.#key) this.#key = this.#value = undefined;
    else if (this.#others?.delete(key) === true && this.#others.size === 0) this.#others = undefined;
  }

  /** In no order that means anything. */
  *[Symbol.iterator](): Iterator<readonly [string, Value]> {
    if (this.#key !== undefined && this.#value !== undefined) yield [this.#key, this.#value];
    if (this.#others !== undefined) yield* this.#others;
  }

  *keys(): IterableIterator<string> {
    if (this.#key !== undefined) yield this.#key;
    if (this.#others !== undefined) yield* this.#others.keys();
  }
}

export type ReadonlyFewMap<Value extends {}> = Omit<FewMap<Value>, 'set' | 'delete'>;
