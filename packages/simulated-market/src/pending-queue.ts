/** Anything that waits for its instant; of two at the same one, the one with the smaller order goes first. */
export interface Waiting {
  readonly atMs: number;
  readonly order: number;
}

/** A binary heap by (atMs, order). */
export class PendingQueue<T extends Waiting> {
  private readonly heap: T[] = [];

  constructor(items: readonly T[] = []) {
    for (const item of items) this.push(item);
  }

  get size(): number {
    return this.heap.length;
  }

  /** Infinity when nothing waits. */
  get nextMs(): number {
    return this.heap[0]?.atMs ?? Infinity;
  }

  /** In order of the heap, not of time. */
  items(): readonly T[] {
    return this.heap;
  }

  push(item: T): void {
    let at = this.heap.length;
    this.heap.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.heap[parent];
      if (above === undefined || isBefore(above, item)) break;
      this.heap[at] = above;
      at = parent;
    }
    this.heap[at] = item;
  }

  pop(): T | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined || this.heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = this.heap[child];
      const right = this.heap[child + 1];
      if (below !== undefined && right !== undefined && isBefore(right, below)) {
        below = right;
        child += 1;
      }
      if (below === undefined || isBefore(last, below)) break;
      this.heap[at] = below;
      at = child;
    }
    this.heap[at] = last;
    return first;
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
