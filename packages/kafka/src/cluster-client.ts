import type { Kafka } from 'kafkajs';
import { withDeadline } from './deadline.js';

/** What kafkajs 2.2.4 keeps to itself: a cluster client that joins no group, and the brokers it talks to. */
interface Broker {
  fetch(request: object): Promise<unknown>;
  offsetCommit(request: object): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
}
export interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
  findBroker(where: { nodeId: string }): Promise<Broker>;
  findGroupCoordinator(group: { groupId: string }): Promise<Broker>;
}
type CreateCluster = (options: { allowAutoTopicCreation: boolean; isolationLevel: number }) => Cluster;

const timeoutMs = 30_000;
/** Isolation level of a fetch. */
export const readUncommitted = 0;

/**
 * Lends a cluster client that joins no group, for at most 30 s.
 * @throws DeadlineError, and kafkajs errors when no broker can be reached.
 */
export async function withCluster<T>(kafka: Kafka, what: string, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const key = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  const createCluster = key && (kafka as unknown as Record<symbol, CreateCluster | undefined>)[key];
  if (createCluster === undefined) throw new TypeError('this version of kafkajs has no private cluster client');
  const cluster = createCluster({ allowAutoTopicCreation: false, isolationLevel: readUncommitted });
  const connected = async () => {
    await cluster.connect();
    return work(cluster);
  };
  try {
    return await withDeadline(connected(), timeoutMs, what);
  } finally {
    await cluster.disconnect();
  }
}
