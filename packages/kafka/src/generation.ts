import { StaleGenerationError } from './errors.js';

/** Partitions by topic. */
export type Assignment = Readonly<Record<string, readonly number[]>>;

/** Says whether this process is still the member that a batch was handed to. */
export interface GenerationToken {
  /** Rises with every rebalance of the group. */
  readonly generationId: number;
  readonly memberId: string;
  isCurrent(): boolean;
  /** @throws StaleGenerationError */
  assertCurrent(): void;
}

/** One stay in the group, from a join to whatever ends it. */
export class Generation implements GenerationToken {
  private readonly controller = new AbortController();

  constructor(
    readonly generationId: number,
    readonly memberId: string,
    readonly assignment: Assignment,
    private readonly sessionTimeoutMs: number,
    private readonly monotonicMs: () => number,
    private acknowledgedAtMs: number,
  ) {}

  /** Aborted when the generation ends. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  owns(topic: string, partition: number): boolean {
    return this.assignment[topic]?.includes(partition) ?? false;
  }

  acknowledged(atMs: number): void {
    this.acknowledgedAtMs = atMs;
  }

  /**
   * False also when the coordinator has not acknowledged a heartbeat for the session's length: it has then given the
   * partitions to another member, whether we heard of it or not.
   */
  isCurrent(): boolean {
    return !this.signal.aborted && this.monotonicMs() - this.acknowledgedAtMs < this.sessionTimeoutMs;
  }

  assertCurrent(): void {
    if (!this.isCurrent()) {
      throw new StaleGenerationError(`generation ${this.generationId} of member ${this.memberId} is over`);
    }
  }

  end(): void {
    this.controller.abort();
  }
}

/**
 * What this consumer is in its group. kafkajs tells of a join without the generation's number; the number comes with the
 * first heartbeat acknowledged after it, so that a generation starts there, confirmed by the coordinator.
 */
export class Membership {
  private joined: { readonly memberId: string; readonly assignment: Assignment } | undefined;
  private generation: Generation | undefined;
  /** What the coordinator called this consumer last. */
  memberId: string | undefined;

  constructor(
    private readonly sessionTimeoutMs: number,
    private readonly monotonicMs: () => number,
    private readonly listener: { started(generation: Generation): void; ended(generation: Generation): void },
  ) {}

  /** The generation that may write now. */
  current(): Generation | undefined {
    return this.generation?.isCurrent() ? this.generation : undefined;
  }

  join(memberId: string, assignment: Assignment): void {
    this.end();
    this.joined = { memberId, assignment };
    this.memberId = memberId;
  }

  /**
   * The coordinator has acknowledged a heartbeat that was sent `tookMs` ago, from when it counts the session. A process
   * that stood still may read the answer long after it came: one as old as a session confirms nothing.
   */
  heartbeatAcknowledged(memberId: string, generationId: number, tookMs: number): void {
    if (this.joined?.memberId !== memberId || tookMs >= this.sessionTimeoutMs) return;
    const sentAtMs = this.monotonicMs() - Math.max(0, tookMs);
    if (this.generation?.isCurrent()) {
      this.generation.acknowledged(sentAtMs);
      return;
    }
    // Also after a silence as long as the session that the coordinator did not hold against us: a new start.
    this.end();
    const { assignment } = this.joined;
    this.generation = new Generation(
      generationId,
      memberId,
      assignment,
      this.sessionTimeoutMs,
      this.monotonicMs,
      sentAtMs,
    );
    this.listener.started(this.generation);
  }

  /**
   * Ends the generation, or this one if it is still the last. The member may still be in the group: its next heartbeat
   * says so.
   */
  end(only?: Generation): void {
    const { generation } = this;
    if (!generation || (only && only !== generation)) return;
    this.generation = undefined;
    generation.end();
    this.listener.ended(generation);
  }

  /** Ends the generation and the membership. */
  leave(): void {
    this.joined = undefined;
    this.end();
  }
}
