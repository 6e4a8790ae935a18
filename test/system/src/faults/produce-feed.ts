import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Kafka } from 'kafkajs';
import { Random } from '../support/random.js';
import type { ProducedRecord } from '../support/topic.js';
import type { FaultFeed } from './fault-feed.js';

const tickMs = 250;
const recordsPerSendMax = 1_000;
const burstFactor = 10;
const burstShare = 0.1;

/** Sends records until the broker has taken them, however long it is away: some may then lie in the log twice. */
export class Sender {
  readonly #producer: kafkajs.Producer;
  readonly #topic: string;
  acknowledged = 0;
  repeats = 0;

  constructor(kafka: Kafka, topic: string) {
    this.#topic = topic;
    this.#producer = kafka.producer({ maxInFlightRequests: 1, allowAutoTopicCreation: false, retry: { retries: 0 } });
  }

  async send(records: readonly ProducedRecord[], signal?: AbortSignal): Promise<void> {
    for (let from = 0; from < records.length; from += recordsPerSendMax) {
      const part = records.slice(from, from + recordsPerSendMax);
      const messages = part.map(({ partition, key = null, value, recordMs, headers = {} }) => ({
        partition,
        key,
        value,
        timestamp: String(recordMs),
        headers,
      }));
      for (;;) {
        try {
          await this.#producer.connect();
          await this.#producer.send({ topic: this.#topic, messages, acks: -1 });
          this.acknowledged += part.length;
          break;
        } catch (error) {
          if (signal?.aborted === true) throw error;
          this.repeats += 1;
          await this.#producer.disconnect().catch(() => undefined);
          await sleep(500);
        }
      }
    }
  }

  async close(): Promise<void> {
    await this.#producer.disconnect().catch(() => undefined);
  }
}

/** Produces `count` records over `seconds`, a tenth of the time ten times as fast, or fewer where `signal` ends it. */
export async function produceFeed(
  feed: FaultFeed,
  sender: Sender,
  { count, seconds, seed }: { readonly count: number; readonly seconds: number; readonly seed: number },
  signal: AbortSignal,
): Promise<void> {
  const random = new Random(seed);
  const perTick = (count / (seconds * 1_000)) * tickMs;
  const calm = perTick / (1 + burstShare * (burstFactor - 1));
  let left = count;
  let isBurst = false;
  while (left > 0 && !signal.aborted) {
    // Bursts of about two seconds.
    if (random.chance(isBurst ? 0.12 : (0.12 * burstShare) / (1 - burstShare))) isBurst = !isBurst;
    const size = Math.min(left, Math.max(1, Math.round(calm * (isBurst ? burstFactor : 1))));
    const startedMs = performance.now();
    await sender.send(feed.next(size), signal);
    left -= size;
    await sleep(Math.max(0, tickMs - (performance.now() - startedMs)), undefined, { signal }).catch(() => undefined);
  }
}
