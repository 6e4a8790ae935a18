import { z } from 'zod';

const text = z.string().trim().min(1);
const brokerList = text.transform((list, context) => {
  const brokers = list.split(',').map((broker) => broker.trim());
  if (!brokers.every((broker) => /^.+:\d{1,5}$/.test(broker))) {
    context.addIssue({ code: 'custom', message: 'expected a comma-separated list of host:port' });
    return z.NEVER;
  }
  return brokers;
});
const mechanism = z.enum(['plain', 'scram-sha-256', 'scram-sha-512']);

/** The service's own cluster: dead letters, rollup topics and watermarks are written there. */
export const kafkaSettings = {
  KAFKA_BROKERS: brokerList.default(['127.0.0.1:9092']).describe('Brokers of our own cluster, host:port, by commas'),
  KAFKA_CLIENT_ID: text.default('jetton-analytics').describe('Name by which brokers log and limit this client'),
  KAFKA_TLS: z.stringbool().default(false).describe('Connect with TLS: true or false'),
  KAFKA_TLS_CA_FILE: text.optional().describe('PEM file with the authority that signed the brokers’ certificates'),
  KAFKA_TLS_CERT_FILE: text.optional().describe('PEM file with our client certificate (mutual TLS)'),
  KAFKA_TLS_KEY_FILE: text.optional().describe('PEM file with the key of our client certificate'),
  KAFKA_SASL_MECHANISM: mechanism.optional().describe('plain, scram-sha-256 or scram-sha-512; unset: no login'),
  KAFKA_SASL_USERNAME: text.optional().describe('User of the login'),
  KAFKA_SASL_PASSWORD: text.optional().describe('Password of the login'),
};

/**
 * The cluster of the feed, which may be somebody else's: only read and group rights are used there. Taken as a whole:
 * without SOURCE_KAFKA_BROKERS the feed lies on our own cluster and no other SOURCE_KAFKA_* connection setting is allowed.
 */
export const sourceKafkaSettings = {
  SOURCE_KAFKA_BROKERS: brokerList.optional().describe('Brokers of the feed; unset: the feed is on KAFKA_BROKERS'),
  SOURCE_KAFKA_CLIENT_ID: text.optional().describe('Client name towards the feed; unset: KAFKA_CLIENT_ID'),
  SOURCE_KAFKA_TLS: z.stringbool().optional().describe('Connect to the feed with TLS: true or false'),
  SOURCE_KAFKA_TLS_CA_FILE: text.optional().describe('PEM file with the authority of the feed’s brokers'),
  SOURCE_KAFKA_TLS_CERT_FILE: text.optional().describe('PEM file with our client certificate for the feed'),
  SOURCE_KAFKA_TLS_KEY_FILE: text.optional().describe('PEM file with the key of that certificate'),
  SOURCE_KAFKA_SASL_MECHANISM: mechanism.optional().describe('plain, scram-sha-256 or scram-sha-512, for the feed'),
  SOURCE_KAFKA_SASL_USERNAME: text.optional().describe('User of the feed'),
  SOURCE_KAFKA_SASL_PASSWORD: text.optional().describe('Password of the feed'),
  SOURCE_KAFKA_GROUP_ID: text
    .default('jetton-analytics-aggregator')
    .describe('Consumer group under which the trades are read'),
  SOURCE_KAFKA_STATES_GROUP_ID: text
    .optional()
    .describe('Consumer group of the other topics of the feed; unset: SOURCE_KAFKA_GROUP_ID with -states behind it'),
};

export type KafkaEnv = z.infer<z.ZodObject<typeof kafkaSettings>>;
export type SourceKafkaEnv = z.infer<z.ZodObject<typeof sourceKafkaSettings>>;

/** The consumer group of pool states, metadata and balances. */
export const statesGroupId = (
  settings: Pick<SourceKafkaEnv, 'SOURCE_KAFKA_GROUP_ID' | 'SOURCE_KAFKA_STATES_GROUP_ID'>,
): string => settings.SOURCE_KAFKA_STATES_GROUP_ID ?? `${settings.SOURCE_KAFKA_GROUP_ID}-states`;
