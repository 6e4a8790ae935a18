import type { Admin, Consumer } from 'kafkajs';
import { reportGap } from './batch-loop.js';
import type { BatchLoopOptions } from './batch-server.options.js';
import { backoffMs, pause } from './deadline.js';
import { type Assignment, type Generation, Membership } from './generation.js';
import { startPositions } from './offsets.js';
import { Positions } from './positions.js';

/** Which partitions this process owns, since which generation, and where their consumption stands. */
export class Ownership {
  readonly positions = new Positions();
  readonly membership: Membership;
  /** Ends when the positions of the last generation are known, or it is over. Never rejects. */
  ready: Promise<void> = Promise.resolve();
  /** The generation that onAssigned was called for. */
  private announced: Generation | undefined;

  constructor(
    private readonly consumer: Consumer,
    private readonly admin: Admin,
    private readonly groupId: string,
    sessionTimeoutMs: number,
    private readonly options: BatchLoopOptions,
  ) {
    this.membership = new Membership(sessionTimeoutMs, () => performance.now(), {
      started: (generation) => {
        this.ready = this.announce(generation);
      },
      ended: (generation) => this.revoke(generation),
    });
    const { events } = consumer;
    consumer.on(events.GROUP_JOIN, ({ payload }) => {
      // kafkajs overwrites a committed offset that lies outside the log: nothing is fetched before it has been read.
      consumer.pause(topicsOf(payload.memberAssignment));
      this.membership.join(payload.memberId, payload.memberAssignment);
    });
    // kafkajs tells how long a request took just before it tells of the heartbeat; it has one under way at a time.
    let heartbeatTookMs = 0;
    consumer.on(events.REQUEST, ({ payload }) => {
      if (payload.apiName === 'Heartbeat') heartbeatTookMs = payload.duration;
    });
    consumer.on(events.HEARTBEAT, ({ payload }) =>
      this.membership.heartbeatAcknowledged(payload.memberId, payload.groupGenerationId, heartbeatTookMs),
    );
    consumer.on(events.END_BATCH_PROCESS, ({ payload }) => {
      // A batch of nothing but control or aborted records never reaches eachBatch: kafkajs steps over it by itself.
      if (payload.batchSize === 0) this.stepOver(payload.topic, payload.partition, payload.lastOffset);
    });
    consumer.on(events.REBALANCING, () => this.membership.end());
    for (const end of [events.STOP, events.DISCONNECT, events.CRASH] as const) {
      consumer.on(end, () => this.membership.leave());
    }
  }

  /** Owned partitions by topic; none before the first assignment and between two. */
  owned(): Assignment {
    return this.confirmed()?.assignment ?? {};
  }

  /** The generation that may write now and whose positions are known. */
  confirmed(): Generation | undefined {
    return this.announced?.isCurrent() ? this.announced : undefined;
  }

  private async announce(generation: Generation): Promise<void> {
    for (let attempt = 0; generation.isCurrent(); attempt += 1) {
      try {
        const { positions, gaps } = await startPositions(this.admin, this.groupId, generation.assignment);
        if (!generation.isCurrent()) return;
        this.positions.replace(positions);
        for (const gap of gaps) {
          this.consumer.seek({ topic: gap.topic, partition: gap.partition, offset: gap.to });
          reportGap(gap, this.options);
        }
        this.announced = generation;
        this.options.onAssigned?.(generation.assignment, generation);
        this.consumer.resume(topicsOf(generation.assignment));
        return;
      } catch (error) {
        this.options.logger.warn({ attempt, err: error }, 'the committed offsets cannot be read; trying again');
        await pause(backoffMs(attempt, this.options.backoff, Math.random()), generation.signal);
      }
    }
  }

  private revoke(generation: Generation): void {
    if (this.announced !== generation) return;
    this.announced = undefined;
    this.positions.clear();
    this.options.onRevoked?.();
  }

  private stepOver(topic: string, partition: number, lastOffset: string): void {
    if (!this.confirmed()?.owns(topic, partition)) return;
    this.positions.advance(topic, partition, lastOffset);
    this.options.onBatchDone?.({ topic, partition, nextOffset: (BigInt(lastOffset) + 1n).toString() });
  }
}

const topicsOf = (assignment: Assignment): { topic: string }[] => Object.keys(assignment).map((topic) => ({ topic }));
