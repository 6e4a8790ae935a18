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
  /** One listener more, without logins, for whoever shows a certificate that an authority of this PEM file has signed. */
  readonly mutual?: { readonly port: number; readonly authority: string };
}

const scramMechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
const secureName = 'SECURE';
const mutualName = 'MUTUAL';

/** Arguments of the format command that make the users known to a cluster. */
export function scramArguments(secure: SecureListener | undefined): string[] {
  return (secure?.users ?? []).flatMap(({ name, password }) =>
    scramMechanisms.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${name},password=${password}]`]),
  );
}

function certificateSettings(ofListener: string, { file, password }: SecureListener['keystore']) {
  return {
    [`${ofListener}.ssl.keystore.type`]: 'PKCS12',
    [`${ofListener}.ssl.keystore.location`]: file,
    [`${ofListener}.ssl.keystore.password`]: password,
    [`${ofListener}.ssl.key.password`]: password,
  };
}

function mutualSettings({ keystore, mutual }: SecureListener): Record<string, string> {
  if (mutual === undefined) return {};
  const ofListener = `listener.name.${mutualName.toLowerCase()}`;
  return {
    ...certificateSettings(ofListener, keystore),
    [`${ofListener}.ssl.client.auth`]: 'required',
    [`${ofListener}.ssl.truststore.type`]: 'PEM',
    [`${ofListener}.ssl.truststore.location`]: mutual.authority,
  };
}

function secureSettings(secure: SecureListener): Record<string, string> {
  const { keystore, users } = secure;
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
    ...certificateSettings(ofListener, keystore),
    ...mutualSettings(secure),
  };
}

export const kafkaNodeId = 1;

const topicRecordBytesMax = (2 * 1024 + 64) * 1024;

/** The server.properties of a single-node broker (KRaft) that keeps everything and listens on 127.0.0.1 only. */
export function serverProperties({ port, controllerPort, logDir, secure }: KafkaSettings): string {
  const mutual = secure?.mutual === undefined ? '' : `,${mutualName}://127.0.0.1:${secure.mutual.port}`;
  const secured = secure === undefined ? '' : `,${secureName}://127.0.0.1:${secure.port}${mutual}`;
  const listener = `PLAINTEXT://127.0.0.1:${port}${secured}`;
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': kafkaNodeId,
    'controller.quorum.voters': `${kafkaNodeId}@127.0.0.1:${controllerPort}`,
    listeners: `${listener},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': listener,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': `PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,${secureName}:SASL_SSL,${mutualName}:SSL`,
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
