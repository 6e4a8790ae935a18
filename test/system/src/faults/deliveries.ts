/** What the processes of a group told of the batches they took, one partition's after the other. */
export class Deliveries {
  /** Batches that were begun, and records that were begun more than once. */
  batches = 0;
  redelivered = 0;
  /** Records that came again though their batch had been committed; nobody may see one. */
  beyondBatchInHand = 0;
  readonly #begun = new Map<number, bigint>();
  readonly #committed = new Map<number, bigint>();

  /** Reads a line of a process; others than those of the preload are passed over. */
  see(line: string): void {
    const [, what, partition, from, to] = /^fault: (begins|commits) (\d+) (\d+)(?: (\d+))?$/.exec(line) ?? [];
    if (what === 'begins') this.#begins(Number(partition), BigInt(from ?? 0), BigInt(to ?? 0));
    else if (what === 'commits') this.#committed.set(Number(partition), BigInt(from ?? 0));
  }

  #begins(partition: number, first: bigint, last: bigint): void {
    this.batches += 1;
    const begun = this.#begun.get(partition) ?? -1n;
    const committed = this.#committed.get(partition) ?? 0n;
    const again = begun - first + 1n;
    if (again > 0n) this.redelivered += Number(again);
    if (first < committed) this.beyondBatchInHand += Number(committed - first);
    if (last > begun) this.#begun.set(partition, last);
  }
}
