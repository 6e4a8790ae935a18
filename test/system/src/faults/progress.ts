import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { pollUntil } from '@jetton-analytics/testing';

const pollMs = 250;

/** The group has none where it says -1. */
const sumOf = (offsets: readonly string[]) =>
  offsets.reduce((total, offset) => total + (BigInt(offset) > 0n ? BigInt(offset) : 0n), 0n);

/** How far a group has read a topic, asked of the broker. */
export class Progress {
  readonly #kafka: Kafka;
  readonly #topic: string;
  readonly #groupId: string;

  constructor(kafka: Kafka, topic: string, groupId: string) {
    this.#kafka = kafka;
    this.#topic = topic;
    this.#groupId = groupId;
  }

  async #ask<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = this.#kafka.admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** Records that are committed, over all partitions, and that there are. Waits for a broker that has just started. */
  read(): Promise<{ committed: bigint; end: bigint }> {
    return pollUntil(() => this.#readOnce(), {
      what: 'the offsets of the group',
      timeoutMs: 60_000,
      intervalMs: pollMs,
    });
  }

  #readOnce(): Promise<{ committed: bigint; end: bigint }> {
    return this.#ask(async (admin) => {
      const [found] = await admin.fetchOffsets({ groupId: this.#groupId, topics: [this.#topic] });
      const ends = await admin.fetchTopicOffsets(this.#topic);
      const committed = sumOf((found?.partitions ?? []).map(({ offset }) => offset));
      return { committed, end: sumOf(ends.map(({ high }) => high)) };
    });
  }

  /** Waits until something has been committed, at most for a while. */
  async moved(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    const { committed } = await this.read();
    while (performance.now() < until) {
      await sleep(pollMs);
      if ((await this.read()).committed > committed) return;
    }
  }

  /** Waits until everything is committed; returns how long that took. */
  async caughtUp(timeoutMs: number): Promise<number> {
    const startedMs = performance.now();
    let lag = -1n;
    const isThere = async () => {
      const { committed, end } = await this.read();
      lag = end - committed;
      return lag === 0n;
    };
    try {
      await pollUntil(isThere, { what: 'the group to catch up', timeoutMs, intervalMs: pollMs });
    } catch (error) {
      throw new Error(`the group is ${lag} records behind after ${timeoutMs} ms`, { cause: error });
    }
    return performance.now() - startedMs;
  }

  /** The group must be empty soon: members that were killed are waited for until the broker gives them up. */
  async resetToEarliest(): Promise<void> {
    await pollUntil(
      () =>
        this.#ask(async (admin) => {
          await admin.resetOffsets({ groupId: this.#groupId, topic: this.#topic, earliest: true });
          return true;
        }),
      { what: 'the group to be empty', timeoutMs: 60_000, intervalMs: 500 },
    );
  }
}
