export interface KafkaSettings {
  readonly port: number;
  readonly controllerPort: number;
  readonly logDir: string;
  readonly secure?: SecureListener;
}

/** One more listener of the broker, with TLS and logins, as clusters of others have. */
export interface SecureListener {
  readonly port: number;
  /** A PKCS12 file with the certificate and key that the broker shows. */
  readonly keystore: { readonly file: string; readonly password: string };
  /** Who may log in, by each of the mechanisms PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512. Names and passwords are of letters and digits. */
  readonly users: readonly { readonly name: string; readonly password: string }[];
}

const scramMechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
const secureName = 'SECURE';

/** Arguments of the format command that make the users known to a cluster. */
export function scramArguments(secure: SecureListener | undefined): string[] {
  return (secure?.users ?? []).flatMap(({ name, password }) =>
    scramMechanisms.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${name},password=${password}]`]),
  );
}

function secureSettings({ keystore, users }: SecureListener): Record<string, string> {
  const ofListener = `listener.name.${secureName.toLowerCase()}`;
  const known = users.map(({ name, password }) => `user_${name}="${password}"`).join(' ');
  const security = 'org.apache.kafka.common.security';
  return {
    [`${ofListener}.sasl.enabled.mechanisms`]: ['PLAIN', ...scramMechanisms].join(','),
    [`${ofListener}.plain.sasl.jaas.config`]: `${security}.plain.PlainLoginModule required ${known};`,
    ...Object.fromEntries(
      scramMechanisms.map((mechanism) => [
        `${ofListener}.${mechanism.toLowerCase()}.sasl.jaas.config`,
        `${security}.scram.ScramLoginModule required;`,
      ]),
    ),
    [`${ofListener}.ssl.keystore.type`]: 'PKCS12',
    [`${ofListener}.ssl.keystore.location`]: keystore.file,
    [`${ofListener}.ssl.keystore.password`]: keystore.password,
    [`${ofListener}.ssl.key.password`]: keystore.password,
  };
}

export const kafkaNodeId = 1;

const topicRecordBytesMax = (2 * 1024 + 64) * 1024;

/** The server.properties of a single-node broker (KRaft) that keeps everything and listens on 127.0.0.1 only. */
export function serverProperties({ port, controllerPort, logDir, secure }: KafkaSettings): string {
  const secured = secure === undefined ? '' : `,${secureName}://127.0.0.1:${secure.port}`;
  const listener = `PLAINTEXT://127.0.0.1:${port}${secured}`;
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': kafkaNodeId,
    'controller.quorum.voters': `${kafkaNodeId}@127.0.0.1:${controllerPort}`,
    listeners: `${listener},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': listener,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': `PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,${secureName}:SASL_SSL`,
    'inter.broker.listener.name': 'PLAINTEXT',
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
    ...(secure !== undefined && secureSettings(secure)),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
