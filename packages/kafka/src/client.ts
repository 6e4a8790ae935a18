import { readFileSync } from 'node:fs';
import kafkajs, { type Kafka, type KafkaConfig, type LogEntry, type SASLOptions } from 'kafkajs';
import { registerCodecs } from './codecs.js';
import type { KafkaConnection, KafkaTls } from './connection.js';
import { asError, KafkaSettingsError } from './errors.js';
import { guardFetches } from './fetch-guard.js';
import { calmIdleConnections } from './idle-timers.js';
import { mendProduce } from './produce-request.js';

/** The part of a pino logger that is used here: fields first, then the message. */
export interface KafkaLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Bounds of one client, in milliseconds. A call gives up after some ten seconds, then its caller decides. */
const connectionTimeoutMs = 5_000;
const requestTimeoutMs = 30_000;
const retry = { initialRetryTime: 200, maxRetryTime: 5_000, factor: 0.2, multiplier: 2, retries: 6 };

/**
 * A kafkajs client for one cluster; nothing is connected yet. The first call registers the codecs and mends kafkajs, for the
 * whole process.
 * @throws KafkaSettingsError when a TLS file cannot be read.
 */
export function createKafka(connection: KafkaConnection, logger: KafkaLogger): Kafka {
  registerCodecs();
  guardFetches();
  calmIdleConnections();
  mendProduce();
  const config: KafkaConfig = {
    brokers: [...connection.brokers],
    clientId: connection.clientId,
    connectionTimeout: connectionTimeoutMs,
    authenticationTimeout: connectionTimeoutMs * 2,
    requestTimeout: requestTimeoutMs,
    enforceRequestTimeout: true,
    retry,
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => (entry) => log(logger, entry),
  };
  if (connection.tls) config.ssl = readTls(connection.prefix, connection.tls);
  // The library's type is a union of one shape per mechanism; ours is the shape they share.
  if (connection.login) config.sasl = connection.login as SASLOptions;
  return new kafkajs.Kafka(config);
}

function readTls(prefix: string, tls: KafkaTls) {
  const read = (setting: string, file: string) => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new KafkaSettingsError(prefix + setting, `expected a readable PEM file: ${asError(error).message}`);
    }
  };
  return {
    ...(tls.caFile && { ca: [read('TLS_CA_FILE', tls.caFile)] }),
    ...(tls.certFile && { cert: read('TLS_CERT_FILE', tls.certFile) }),
    ...(tls.keyFile && { key: read('TLS_KEY_FILE', tls.keyFile) }),
  };
}

const chattyNamespaces = new Set(['Connection', 'BrokerPool']);

function log(logger: KafkaLogger, entry: LogEntry): void {
  const { message, timestamp: _timestamp, logger: _name, stack: _stack, ...fields } = entry.log;
  const line = { ...fields, kafka: entry.namespace };
  const { logLevel } = kafkajs;
  const isTrouble = entry.level === logLevel.ERROR || entry.level === logLevel.WARN;
  // What kafkajs calls an error it retries, mostly with success; each failed attempt to connect, and what it tells at
  // level info, is chatter: the call that gives up says why.
  if (isTrouble && !chattyNamespaces.has(entry.namespace)) logger.warn(line, message);
  else logger.debug(line, message);
}
