import { userInfo } from 'node:os';
import type { Clock } from '@jetton-analytics/service/process';
import { type Command, Option } from 'commander';
import { AdminError } from './admin-error.js';

/** What a command gives back: data for a program, lines for a person. */
export interface Report {
  readonly json: unknown;
  readonly lines: readonly string[];
  readonly exitCode?: number;
}

/** What every command gets besides its own arguments. */
export interface Session {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where relative paths start: npm runs us in the checkout, paths are meant from where it was called. */
  readonly folder: string;
  /** Whether the report will be written as JSON. */
  readonly isJson: boolean;
  readonly dryRun: boolean;
  /** Tells on standard error how far a long command is. */
  notify(text: string): void;
  /** Whether standard error is a terminal, on which a line can be drawn again. */
  readonly isTerminal: boolean;
  /** Who changes something: --by, else the user of the operating system. @throws AdminError where neither is known */
  actor(): string;
}

export interface CommonFlags {
  readonly json?: true;
  readonly dryRun?: true;
  readonly by?: string;
  readonly timeout: number;
}

/** Runs a command's work and writes its report. */
export type Runner = (flags: CommonFlags, work: (session: Session) => Promise<Report>) => Promise<void>;

const timeoutSecondsDefault = 300;
const actorCharsMax = 200;

/** A whole number of an option or argument. */
export const wholeNumber = (name: string, min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
    throw new AdminError(
      'usage',
      `${name}: expected a whole number from ${min} to ${max}, got ${JSON.stringify(text)}`,
    );
  }
  return value;
};

/** Gives a command the options that all have, and those that all have which change something. */
export function withCommonOptions(command: Command, { changes }: { readonly changes: boolean }): Command {
  command
    .option('--json', 'write one JSON value instead of tables')
    .addOption(
      new Option('--timeout <seconds>', 'give up after so long')
        .default(timeoutSecondsDefault)
        .argParser(wholeNumber('--timeout', 1, 86_400)),
    );
  if (!changes) return command;
  return command
    .option('--dry-run', 'say what would be done and change nothing')
    .option('--by <name>', 'who does it, for the record (default: the user of the operating system)');
}

/** The name under which a change is recorded. */
export function actorOf(by: string | undefined): string {
  const name = (by ?? systemUser()).trim();
  if (name === '' || name.length > actorCharsMax || /\p{Cc}/u.test(name)) {
    throw new AdminError('usage', `--by: expected 1 to ${actorCharsMax} characters without control characters`);
  }
  return name;
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw new AdminError('usage', '--by: needed, since the user of this process has no name');
  }
}
