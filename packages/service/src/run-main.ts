import type { DynamicModule, Type } from '@nestjs/common';
import { startTracing, type Tracing } from '@jetton-analytics/tracing';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { pause } from './clock.js';
import { countBuffersAsHeap } from './external-memory.js';
import { createHttpApp } from './http-app.js';
import { settingsOrExit } from './load-settings.js';
import { createLogger } from './logging.js';
import type { serviceSettings, ServiceSettings } from './settings.js';

export interface Running {
  /** Stops in order; called once. */
  close(): Promise<void>;
}

/** How long the last spans may take. */
const tracingStopMs = 3_000;

/** A schema that spreads serviceSettings. */
type Env = z.ZodObject<typeof serviceSettings>;

export interface MainOptions<S extends Env> {
  readonly name: string;
  readonly env: S;
  readonly start: (context: { settings: Readonly<z.output<S>>; logger: Logger }) => Promise<Running>;
}

/** A sentence for what most often keeps a process from starting. */
function startFailure(error: unknown): string | undefined {
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code === 'EADDRINUSE') return `port ${String(port)} is already in use: stop its user or set another port`;
  if (code === 'EACCES') return `no permission to listen on port ${String(port)}`;
  return undefined;
}

/**
 * The whole life of a process: reads the settings (exit 78 with a line for each wrong one), starts, and on SIGTERM,
 * SIGINT or, under the stack, when its channel closes, stops within SHUTDOWN_GRACE_MS. Exits 1 after a failed start, an
 * uncaught error or an overdue stop. Resolves once started.
 */
export async function runMain<S extends Env>({ name, env, start }: MainOptions<S>): Promise<void> {
  countBuffersAsHeap();
  const settings = settingsOrExit(name, env);
  const common: ServiceSettings = settings;
  const tracing = await startTracing({
    service: name,
    endpoint: common.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampler: common.OTEL_TRACES_SAMPLER,
    samplerShare: common.OTEL_TRACES_SAMPLER_ARG,
    onProblem: (problem) => logger.warn({ problem }, 'tracing'),
  });
  const logger: Logger = createLogger({ name, level: common.LOG_LEVEL, format: common.LOG_FORMAT });
  const fail = (error: unknown, message: string) => {
    logger.fatal({ err: error }, message);
    process.exit(1);
  };
  process.once('uncaughtException', (error) => fail(error, 'uncaught error'));
  process.once('unhandledRejection', (error) => fail(error, 'unhandled rejection'));

  let running: Running | undefined;
  let stopping = false;
  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const deadlineMs = common.SHUTDOWN_GRACE_MS + common.SHUTDOWN_DRAIN_MS;
    setTimeout(() => fail(undefined, `not stopped within ${deadlineMs} ms`), deadlineMs).unref();
    try {
      await running?.close();
      await sendRest(tracing, logger);
    } catch (error) {
      fail(error, 'failed while stopping');
    }
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop('SIGTERM'));
  process.once('SIGINT', () => void stop('SIGINT'));
  if (common.STACK_SUPERVISED === '1') onSupervisorGone(() => void stop('the supervisor is gone'));

  try {
    running = await start({ settings, logger });
  } catch (error) {
    const sentence = startFailure(error);
    fail(sentence === undefined ? error : undefined, sentence ?? 'cannot start');
  }
}

/** A collector that is away must not hold up or fail the stop. */
async function sendRest(tracing: Tracing, logger: Logger): Promise<void> {
  const waited = new AbortController();
  const tooLong = pause(tracingStopMs, waited.signal).catch(() => undefined);
  await Promise.race([
    tracing.stop().catch((error: unknown) => logger.warn({ err: error }, 'the last spans were not sent')),
    tooLong,
  ]);
  waited.abort();
}

/** Also after a kill -9 of the supervisor, when nothing else would stop us; and when it died while we were starting. */
function onSupervisorGone(stop: () => void): void {
  if (process.send === undefined) return; // started without a channel
  if (process.connected) process.once('disconnect', stop);
  else stop();
}

/** {@link runMain} for an app that is its HTTP interface and nothing more. */
export async function runHttpApp(options: {
  readonly name: string;
  readonly env: Env;
  readonly module: Type | DynamicModule;
}): Promise<void> {
  const { name, env, module } = options;
  await runMain({
    name,
    env,
    start: async ({ settings, logger }) => {
      const app = await createHttpApp(module, { name, settings, logger });
      await app.listen();
      return app;
    },
  });
}
