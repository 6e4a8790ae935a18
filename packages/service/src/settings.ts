import { samplerNames } from '@jetton-analytics/tracing';
import { z } from 'zod';

/** An integer written in plain decimal digits: neither `''` nor `1e3` nor `0x10` passes for a number. */
export const integerSetting = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** A port with its default, 0 for any free one. An app gives PORT its own default with it. */
export const portSetting = (portDefault: number) => integerSetting(0, 65_535).prefault(String(portDefault));

/** Settings that every process has; an app spreads them into its own schema. */
export const serviceSettings = {
  HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  PORT: portSetting(0).describe('port of the HTTP interface, 0: any free one'),
  METRICS_PORT: portSetting(0).describe('port of the Prometheus metrics, 0: any free one'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('least severe level that is logged'),
  LOG_FORMAT: z.enum(['json', 'pretty']).default('json').describe('form of the log lines'),
  SHUTDOWN_DRAIN_MS: integerSetting(0, 60_000)
    .prefault('0')
    .describe('milliseconds between "not ready" and the end of listening, for a load balancer to notice'),
  SHUTDOWN_GRACE_MS: integerSetting(100, 600_000)
    .prefault('10000')
    .describe('milliseconds that requests under way get to finish at shutdown'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('OpenTelemetry collector that spans are sent to (OTLP over HTTP), without /v1/traces; unset: no tracing'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('headers for the collector, name=value with commas; a secret where they hold a login'),
  OTEL_TRACES_SAMPLER: z.enum(samplerNames).default('parentbased_always_on').describe('which traces are kept'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'a share from 0 to 1')
    .transform(Number)
    .optional()
    .describe('share of the traces that the ratio samplers keep'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .describe('more attributes of this process on its spans, name=value with commas'),
  STACK_SUPERVISED: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: started by the stack; stop when its channel to this process closes'),
};

const ServiceSettings = z.object(serviceSettings);
export type ServiceSettings = z.infer<typeof ServiceSettings>;
