import type { LoggerService } from '@nestjs/common';
import { isTracing, traceFields } from '@jetton-analytics/tracing';
import { pino, type DestinationStream, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { type LineOutput, lineOutput } from './line-output.js';

export type { Logger } from 'pino';

// Wherever headers are logged by mistake, the credentials in them are not.
const redactedPaths = ['authorization', '["x-api-key"]', 'cookie'].flatMap((name) =>
  ['', '*', '*.*', '*.*.*'].map((parent) => {
    if (parent === '') return name;
    return name.startsWith('[') ? `${parent}${name}` : `${parent}.${name}`;
  }),
);

export interface LoggerOptions {
  /** Name of the app, on every line. */
  readonly name: string;
  readonly level: string;
  readonly format: 'json' | 'pretty';
  /** Where lines go; standard output by default. */
  readonly destination?: DestinationStream;
}

/** A pino logger: JSON lines with `app`, or readable lines for a terminal. Credentials are redacted.
 * Made while tracing, its lines carry `trace_id` and `span_id` of the active span. Throws nothing. */
export function createLogger({ name, level, format, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { app: name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
    ...(isTracing() && { mixin: traceFields }),
  };
  if (destination !== undefined) return pino(options, destination);
  return format === 'pretty'
    ? pino(options, PinoPretty({ ignore: 'pid,app', translateTime: 'SYS:HH:MM:ss.l', sync: true }))
    : pino(options, standardOutput());
}

let output: LineOutput | undefined;

/** One for all loggers of the process; pino writes out what is gathered at a fatal line. */
function standardOutput(): LineOutput {
  output ??= lineOutput(1);
  return output;
}

/** Lets Nest's own messages go to the same log; its start-up chatter only at debug. */
export class NestLogger implements LoggerService {
  readonly #logger: Logger;
  constructor(logger: Logger) {
    this.#logger = logger;
  }
  log(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  // Nest calls log(message, …stack or details, context): the last argument is the context where it is text.
  #write(level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const last = rest.at(-1);
    const context = typeof last === 'string' ? { context: last } : {};
    const details = typeof last === 'string' ? rest.slice(0, -1) : rest;
    const extra = details.length === 0 ? {} : { details };
    if (message instanceof Error) this.#logger[level]({ ...context, ...extra, err: message });
    else this.#logger[level]({ ...context, ...extra }, typeof message === 'string' ? message : JSON.stringify(message));
  }
}
