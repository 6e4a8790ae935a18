/** Next offset to consume of one partition: everything before it is durable. */
export interface PartitionPosition {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: string;
}

/**
 * Offsets that were expected and are not there: [from, to) are gone. `rewound`: the log now ends before what was already
 * consumed, and consumption goes on at `to`, the earliest there is.
 */
export interface OffsetGap {
  readonly topic: string;
  readonly partition: number;
  readonly from: string;
  readonly to: string;
  readonly rewound: boolean;
}

/** Where the consumption of each owned partition stands. */
export class Positions {
  private readonly next = new Map<string, { topic: string; partition: number; offset: bigint }>();

  /** Forgets all and starts from these. */
  replace(positions: readonly PartitionPosition[]): void {
    this.next.clear();
    for (const { topic, partition, nextOffset } of positions) this.set(topic, partition, BigInt(nextOffset));
  }

  clear(): void {
    this.next.clear();
  }

  /** Everything up to and including `offset` is durable. */
  advance(topic: string, partition: number, offset: string): void {
    this.set(topic, partition, BigInt(offset) + 1n);
  }

  /**
   * Compares what came with what was expected. `from`: the first offset that is not durable yet; a fetch that was under
   * way during a rebalance may bring some that are. Offsets below the expected ones are new only where the log ends
   * before those, i.e. was cut.
   */
  arrived(
    topic: string,
    partition: number,
    firstOffset: string,
    highWatermark: string,
  ): { readonly from: bigint; readonly gap?: OffsetGap } {
    const first = BigInt(firstOffset);
    const expected = this.next.get(keyOf(topic, partition))?.offset ?? first;
    const rewound = first < expected && BigInt(highWatermark) < expected;
    if (first <= expected && !rewound) return { from: expected };
    this.set(topic, partition, first);
    return { from: first, gap: { topic, partition, from: expected.toString(), to: firstOffset, rewound } };
  }

  list(): PartitionPosition[] {
    return [...this.next.values()].map(({ topic, partition, offset }) => ({
      topic,
      partition,
      nextOffset: offset.toString(),
    }));
  }

  private set(topic: string, partition: number, offset: bigint): void {
    this.next.set(keyOf(topic, partition), { topic, partition, offset });
  }
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`;
