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
  STACK_SUPERVISED: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: started by the stack; stop when its channel to this process closes'),
};

const ServiceSettings = z.object(serviceSettings);
export type ServiceSettings = z.infer<typeof ServiceSettings>;
