export interface KafkaSettings {
  readonly port: number;
  readonly controllerPort: number;
  readonly logDir: string;
}

export const kafkaNodeId = 1;

const topicRecordBytesMax = (2 * 1024 + 64) * 1024;

/** The server.properties of a single-node broker (KRaft) that keeps everything and listens on 127.0.0.1 only. */
export function serverProperties({ port, controllerPort, logDir }: KafkaSettings): string {
  const listener = `PLAINTEXT://127.0.0.1:${port}`;
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': kafkaNodeId,
    'controller.quorum.voters': `${kafkaNodeId}@127.0.0.1:${controllerPort}`,
    listeners: `${listener},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': listener,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': logDir.replaceAll('\\', '/'),
    'auto.create.topics.enable': false,
    'num.partitions': 1,
    'message.max.bytes': topicRecordBytesMax,
    'log.retention.hours': -1,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    // Ten years: with the default of a week a stack that rested longer would read its topics from the start.
    'offsets.retention.minutes': 5_256_000,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    // The default takes 128 MiB of heap, a quarter of ours; a buffer this size still compacts 600,000 keys in one pass.
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
