import { KafkaSettingsError } from './errors.js';
import type { KafkaEnv, SourceKafkaEnv } from './settings.js';

export interface KafkaTls {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

export interface KafkaLogin {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/** How to reach one cluster. `prefix` is that of its settings, so that an error can name the setting to change. */
export interface KafkaConnection {
  readonly prefix: 'KAFKA_' | 'SOURCE_KAFKA_';
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly tls?: KafkaTls;
  readonly login?: KafkaLogin;
}

type Unprefixed = { [Key in keyof KafkaEnv as Key extends `KAFKA_${infer Name}` ? Name : never]?: KafkaEnv[Key] };

/**
 * Our own cluster, and the feed's: the same one where SOURCE_KAFKA_BROKERS is unset.
 * @throws KafkaSettingsError naming the first setting that is missing or left over.
 */
export function resolveConnections(env: KafkaEnv & Partial<SourceKafkaEnv>): {
  own: KafkaConnection;
  source: KafkaConnection;
} {
  const own = resolve('KAFKA_', {
    BROKERS: env.KAFKA_BROKERS,
    CLIENT_ID: env.KAFKA_CLIENT_ID,
    TLS: env.KAFKA_TLS,
    TLS_CA_FILE: env.KAFKA_TLS_CA_FILE,
    TLS_CERT_FILE: env.KAFKA_TLS_CERT_FILE,
    TLS_KEY_FILE: env.KAFKA_TLS_KEY_FILE,
    SASL_MECHANISM: env.KAFKA_SASL_MECHANISM,
    SASL_USERNAME: env.KAFKA_SASL_USERNAME,
    SASL_PASSWORD: env.KAFKA_SASL_PASSWORD,
  });
  const source = {
    TLS: env.SOURCE_KAFKA_TLS,
    TLS_CA_FILE: env.SOURCE_KAFKA_TLS_CA_FILE,
    TLS_CERT_FILE: env.SOURCE_KAFKA_TLS_CERT_FILE,
    TLS_KEY_FILE: env.SOURCE_KAFKA_TLS_KEY_FILE,
    SASL_MECHANISM: env.SOURCE_KAFKA_SASL_MECHANISM,
    SASL_USERNAME: env.SOURCE_KAFKA_SASL_USERNAME,
    SASL_PASSWORD: env.SOURCE_KAFKA_SASL_PASSWORD,
  };
  if (env.SOURCE_KAFKA_BROKERS === undefined) {
    const leftOver = Object.entries(source).find(([, value]) => value !== undefined);
    if (leftOver)
      throw new KafkaSettingsError('SOURCE_KAFKA_BROKERS', `needed since SOURCE_KAFKA_${leftOver[0]} is set`);
    return { own, source: { ...own, clientId: env.SOURCE_KAFKA_CLIENT_ID ?? own.clientId } };
  }
  return {
    own,
    source: resolve('SOURCE_KAFKA_', {
      ...source,
      BROKERS: env.SOURCE_KAFKA_BROKERS,
      CLIENT_ID: env.SOURCE_KAFKA_CLIENT_ID ?? own.clientId,
    }),
  };
}

function resolve(
  prefix: KafkaConnection['prefix'],
  env: { [Key in keyof Unprefixed]: Unprefixed[Key] | undefined } & { BROKERS: string[]; CLIENT_ID: string },
): KafkaConnection {
  const tls = resolveTls(prefix, env);
  const login = resolveLogin(prefix, env);
  return { prefix, brokers: env.BROKERS, clientId: env.CLIENT_ID, ...(tls && { tls }), ...(login && { login }) };
}

function resolveTls(prefix: string, env: { [Key in keyof Unprefixed]: Unprefixed[Key] | undefined }) {
  const { TLS_CA_FILE: caFile, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = env;
  if (!env.TLS) {
    const name = caFile ? 'TLS_CA_FILE' : certFile ? 'TLS_CERT_FILE' : keyFile ? 'TLS_KEY_FILE' : undefined;
    if (name) throw new KafkaSettingsError(`${prefix}TLS`, `expected true since ${prefix}${name} is set`);
    return undefined;
  }
  if (certFile && !keyFile) {
    throw new KafkaSettingsError(`${prefix}TLS_KEY_FILE`, `needed since ${prefix}TLS_CERT_FILE is set`);
  }
  if (keyFile && !certFile) {
    throw new KafkaSettingsError(`${prefix}TLS_CERT_FILE`, `needed since ${prefix}TLS_KEY_FILE is set`);
  }
  return { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
}

function resolveLogin(
  prefix: string,
  env: { [Key in keyof Unprefixed]: Unprefixed[Key] | undefined },
): KafkaLogin | undefined {
  const { SASL_MECHANISM: mechanism, SASL_USERNAME: username, SASL_PASSWORD: password } = env;
  if (!mechanism && !username && !password) return undefined;
  const given = mechanism ? 'SASL_MECHANISM' : username ? 'SASL_USERNAME' : 'SASL_PASSWORD';
  const missing = (name: string) => new KafkaSettingsError(`${prefix}${name}`, `needed since ${prefix}${given} is set`);
  if (!mechanism) throw missing('SASL_MECHANISM');
  if (!username) throw missing('SASL_USERNAME');
  if (!password) throw missing('SASL_PASSWORD');
  return { mechanism, username, password };
}
