import { Controller, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Kafka } from 'kafkajs';
import { type ConsumedBatch, type KafkaBatchServerOptions, type OffsetGap } from '../../src/index.js';
import { ConsumesTopic, KafkaBatchServer } from '../../src/server.js';
import { silent } from './silent.js';

export interface ConsumerApp {
  readonly server: KafkaBatchServer;
  readonly crashes: Error[];
  readonly gaps: OffsetGap[];
  close(): Promise<void>;
}

/** A Nest microservice with one handler: `handle` gets the batches of `topic`. */
export async function startConsumer(
  kafka: Kafka,
  topic: string,
  groupId: string,
  handle: (batch: ConsumedBatch) => Promise<void> | void,
  options: Partial<KafkaBatchServerOptions> = {},
  declare: typeof ConsumesTopic = ConsumesTopic,
): Promise<ConsumerApp> {
  class Consumer {
    async consume(batch: ConsumedBatch): Promise<void> {
      await handle(batch);
    }
  }
  const method = Object.getOwnPropertyDescriptor(Consumer.prototype, 'consume') ?? {};
  declare('trades')(Consumer.prototype, 'consume', method);
  Controller()(Consumer);
  const appModule = { module: Consumer, controllers: [Consumer] };

  const crashes: Error[] = [];
  const gaps: OffsetGap[] = [];
  const server = new KafkaBatchServer({
    kafka,
    groupId,
    logger: silent,
    nowMs: () => Math.round(performance.timeOrigin + performance.now()),
    onCrash: (error) => crashes.push(error),
    onGap: (gap) => gaps.push(gap),
    topicOf: () => topic,
    fetchWaitMs: 100,
    backoff: { initialMs: 50, maxMs: 200 },
    ...options,
  });
  const app: INestMicroservice = await NestFactory.createMicroservice(appModule, { strategy: server, logger: false });
  await app.listen();
  return { server, crashes, gaps, close: () => app.close() };
}
