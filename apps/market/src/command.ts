import { Command, InvalidArgumentError, Option } from 'commander';
import type { ReplayOptions, SimulateOptions } from './run.js';

export interface Verbs {
  simulate(options: SimulateOptions): Promise<void>;
  replay(options: ReplayOptions): Promise<void>;
}

interface SimulateFlags {
  readonly seed?: number;
  readonly trades?: number;
  readonly days?: number;
  readonly jettons?: number;
  readonly rate?: number;
  readonly delay?: number;
  readonly end?: number;
  readonly live: boolean;
  readonly stateDir?: string;
}

interface ReplayFlags {
  readonly shiftToNow?: true;
  readonly shiftSeconds?: number;
  readonly stateDir?: string;
  readonly stay?: true;
}

const stateDir = ['--state-dir <folder>', 'where it is kept how far it is, to go on there'] as const;

/** The command line. Its parseAsync throws what the verb throws, and a CommanderError for wrong arguments. */
export function marketCommand(verbs: Verbs): Command {
  const program = new Command('market')
    .description('Feeds trades into Kafka: a simulated market, or a file of real ones')
    .exitOverride();
  program
    .command('simulate')
    .description('an invented market: a history at once, then live trades')
    .option('--seed <n>', 'another market for each (default 1)', wholeNumber(0, 2 ** 32 - 1))
    .option('--trades <n>', 'trades of the history (default 100000)', wholeNumber(0, 1_000_000_000))
    .option('--days <n>', 'days of the history (default 62)', wholeNumber(1, 3650))
    .option('--jettons <n>', 'jettons (default 300)', wholeNumber(3, 20_000))
    .option('--rate <n>', 'live trades per second (default 5)', decimal(0, 100_000))
    .option('--delay <seconds>', 'from a trade to its record (default 3)', decimal(0, 600))
    .option('--end <instant>', 'end of the history, ISO 8601 in UTC (default now)', instant)
    .option('--no-live', 'stop after the history')
    .option(...stateDir)
    .action(async (flags: SimulateFlags) => {
      await verbs.simulate({
        isLive: flags.live,
        stateDir: flags.stateDir,
        wishes: {
          seed: flags.seed,
          historyTrades: flags.trades,
          historyDays: flags.days,
          jettons: flags.jettons,
          ratePerSecond: flags.rate,
          delayMs: flags.delay === undefined ? undefined : Math.round(flags.delay * 1000),
          historyEndMs: flags.end,
        },
      });
    });
  program
    .command('replay')
    .description('a file of trades in the shape of the feed, .ndjson or .ndjson.gz')
    .argument('<file>')
    .addOption(new Option('--shift-to-now', 'move the trades so that the newest is now').conflicts('shiftSeconds'))
    .option('--shift-seconds <n>', 'move the trades by so many seconds', wholeNumber(-(2 ** 33), 2 ** 33))
    .option(...stateDir)
    .option('--stay', 'do not end with the file')
    .action(async (path: string, flags: ReplayFlags) => {
      await verbs.replay({
        path,
        shift: flags.shiftToNow ? { kind: 'to-now' } : { kind: 'seconds', seconds: flags.shiftSeconds ?? 0 },
        stateDir: flags.stateDir,
        stay: flags.stay === true,
      });
    });
  return program;
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };
}

function decimal(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a number from ${min} to ${max}`);
  };
}

function instant(text: string): number {
  const valueMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(valueMs)) return valueMs;
  throw new InvalidArgumentError('expected an instant like 2026-11-21T12:00:00Z');
}
