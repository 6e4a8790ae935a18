import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { parseClockMode } from '@jetton-analytics/figures';

/** Where the trades come from. */
export type StackSource =
  | { readonly kind: 'market'; readonly trades?: number; readonly rate?: number; readonly seed?: number }
  | { readonly kind: 'replay'; readonly file: string; readonly shiftToNow: boolean }
  | { readonly kind: 'kafka' };

export interface StackOptions {
  readonly source: StackSource;
  /** The setting CLOCK of the apps. */
  readonly clock: string;
  readonly fresh: boolean;
  /** Parent of the data folders; without it `.data` in the checkout. */
  readonly dataDir?: string;
  /** Of the gateway; taken is an error. Without it 3000 or, when that is taken, any free one. */
  readonly port?: number;
}

/** Wrong arguments, in words; or a request for help, with code 0 and everything already printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

interface Flags {
  readonly fresh?: true;
  readonly replay?: string;
  readonly clock?: string;
  readonly shiftToNow?: true;
  readonly source?: 'kafka' | 'market';
  readonly trades?: number;
  readonly rate?: number;
  readonly seed?: number;
  readonly dataDir?: string;
  readonly port?: number;
}

const integer = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  }
  return value;
};

function rate(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text) || value > 100_000) {
    throw new InvalidArgumentError('expected trades per second from 0 to 100000');
  }
  return value;
}

function clock(text: string): string {
  const mode = parseClockMode(text);
  if ('error' in mode) throw new InvalidArgumentError(mode.error);
  return text;
}

function command(): Command {
  return new Command('npm start --')
    .description('Starts everything on this machine: the stores, the apps, and a feed of trades.')
    .option('--fresh', 'begin anew: remove the data folder first')
    .addOption(
      new Option('--source <source>', 'where the trades come from (default: market)').choices(['market', 'kafka']),
    )
    .option('--replay <file>', 'feed the trades of a file in the shape of the feed (.ndjson, .ndjson.gz)')
    .option(
      '--clock <mode>',
      'what T follows: wall, event or fixed:<instant> (default: wall; with --replay event)',
      clock,
    )
    .option('--shift-to-now', 'with --replay: move the trades so that the newest is now')
    .option(
      '--trades <n>',
      'length of the history of the simulated market, in trades (default: 100000)',
      integer(0, 100_000_000),
    )
    .option('--rate <n>', 'live trades per second of the simulated market (default: 5)', rate)
    .option('--seed <n>', 'seed of the simulated market (default: 1)', integer(0, 2 ** 32 - 1))
    .option('--data-dir <folder>', 'parent of the data folders (default: .data in the checkout)')
    .option('--port <n>', 'port of the API (default: 3000, or any free one)', integer(1, 65_535))
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined }) // whoever catches the error shows it
    .exitOverride();
}

const refuse = (why: string) => new UsageError(`error: ${why}`, 1);

function sourceOf(flags: Flags, folder: string): StackSource {
  const { replay, source, trades, rate: perSecond, seed } = flags;
  if (replay !== undefined && source !== undefined) throw refuse('--replay is a source of its own: leave --source out');
  if (flags.shiftToNow && replay === undefined) throw refuse('--shift-to-now belongs to --replay <file>');
  if (flags.shiftToNow && flags.clock !== undefined)
    throw refuse('--shift-to-now uses the wall clock: leave --clock out');
  const simulated = { trades, rate: perSecond, seed };
  const used = Object.entries(simulated).find(([, value]) => value !== undefined);
  if (used !== undefined && (replay !== undefined || source === 'kafka')) {
    throw refuse(`--${used[0]} belongs to the simulated market`);
  }
  if (replay !== undefined)
    return { kind: 'replay', file: resolve(folder, replay), shiftToNow: flags.shiftToNow === true };
  if (source === 'kafka') return { kind: 'kafka' };
  return {
    kind: 'market',
    ...(trades === undefined ? {} : { trades }),
    ...(perSecond === undefined ? {} : { rate: perSecond }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** Reads the command line (without the program's own name); `folder` is where relative paths start. Throws a UsageError. */
export function parseOptions(args: readonly string[], folder: string): StackOptions {
  const program = command();
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw new UsageError(error.message, error.exitCode);
    throw error;
  }
  const flags = program.opts<Flags>();
  const source = sourceOf(flags, folder);
  return {
    source,
    clock: flags.clock ?? (source.kind === 'replay' && !source.shiftToNow ? 'event' : 'wall'),
    fresh: flags.fresh === true,
    ...(flags.dataDir === undefined ? {} : { dataDir: resolve(folder, flags.dataDir) }),
    ...(flags.port === undefined ? {} : { port: flags.port }),
  };
}
