import { createProducer, type KafkaProducer } from '@jetton-analytics/kafka';
import { SimulatedMarket } from '@jetton-analytics/simulated-market';
import type { Kafka } from 'kafkajs';
import { partitions } from './bench-stack.js';

export interface SimulatedTrade {
  readonly value: string;
  readonly timestampMs: number;
  readonly partition: number;
}

const recordsPerRequest = 2_000;

/** Trades records of a simulated market whose history of so many trades and days ends now. */
export function simulatedTrades(trades: number, days: number, seed: number, nowMs: number): SimulatedTrade[] {
  const market = SimulatedMarket.begin({
    seed,
    historyEndMs: nowMs,
    historyDays: days,
    historyTrades: trades,
    jettons: 300,
    ratePerSecond: 0,
  });
  const records: SimulatedTrade[] = [];
  for (
    let more = market.advance(nowMs + 60_000, 20_000);
    more.length > 0;
    more = market.advance(nowMs + 60_000, 20_000)
  ) {
    for (const { kind, value, timestampMs, sequence } of more) {
      if (kind === 'trades') records.push({ value, timestampMs, partition: sequence % partitions });
    }
  }
  return records;
}

export async function produce(kafka: Kafka, topic: string, records: readonly SimulatedTrade[]): Promise<void> {
  const producer: KafkaProducer = createProducer(kafka);
  await producer.connect();
  try {
    for (let start = 0; start < records.length; start += recordsPerRequest) {
      await producer.send(topic, records.slice(start, start + recordsPerRequest));
    }
  } finally {
    await producer.disconnect();
  }
}
