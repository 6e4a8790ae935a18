import { z } from 'zod';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(65_535));
const filled = z.string().trim().min(1);

/** What the stack itself reads of the environment; everything else is handed on to the apps as it is. */
const StackEnv = z.object({
  KAFKA_BROKERS: filled.optional().describe('a running Kafka, host:port by commas, instead of the embedded one'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a running PostgreSQL instead of the embedded one'),
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('a running ClickHouse instead of the embedded engine'),
  KAFKA_HOME: filled.optional().describe('an unpacked Kafka to run instead of the one fetched by Maven'),
  SOURCE_KAFKA_BROKERS: filled.optional().describe('brokers of the feed for --source kafka'),
  PORT: port.optional().describe('port of the API'),
  LOG_LEVEL: filled.default('warn').describe('least severe level the apps log'),
  LOG_FORMAT: z.enum(['pretty', 'json']).optional().describe('form of the log lines'),
});
export type StackEnv = z.infer<typeof StackEnv>;

/** Throws an Error with a line for each setting that is wrong. */
export function parseStackEnv(env: NodeJS.ProcessEnv): StackEnv {
  // An empty value, as in a copied .env file, means "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = StackEnv.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new Error(['the settings are wrong:', ...lines].join('\n'));
}

export interface AppWays {
  /** The setting CLOCK. */
  readonly clock: string;
  /** Whether the feed is read from SOURCE_KAFKA_*. */
  readonly sourceKafka: boolean;
  readonly logLevel: string;
  readonly logFormat: string;
}

/**
 * What all apps have in common of their environment: what the person set and how this stack runs. A feed on another
 * cluster is passed on only when it is asked for; otherwise its settings would take the apps away from ours.
 */
export function appEnvironment(env: NodeJS.ProcessEnv, ways: AppWays): NodeJS.ProcessEnv {
  const isKept = (name: string) => ways.sourceKafka || !name.startsWith('SOURCE_KAFKA_') || name.endsWith('GROUP_ID');
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== '' && isKept(name))),
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    CLOCK: ways.clock,
    LOG_LEVEL: ways.logLevel,
    LOG_FORMAT: ways.logFormat,
  };
}
