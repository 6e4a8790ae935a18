import { type Clock, systemClock } from '@jetton-analytics/service/process';
import { DeadlineError } from '@jetton-analytics/kafka';
import { exitCodes } from './exit-codes.js';
import { failureOf } from './failure.js';
import { adminProgram } from './program.js';
import { actorOf, type CommonFlags, type Report, type Runner, type Session } from './session.js';
import { printable } from './table.js';

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` goes to a terminal; false by default. */
  readonly isTerminal?: boolean;
}

async function before(timeoutSeconds: number, work: Promise<Report>): Promise<Report> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError('the command', timeoutSeconds * 1_000)), timeoutSeconds * 1_000);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * One command, from its arguments (without the program's own name) to its exit code. The report goes to `out`, everything
 * else to `err`; with --json both are one JSON value. Throws nothing.
 */
export async function runAdmin(
  args: readonly string[],
  env: Session['env'],
  streams: Streams,
  clock: Clock = systemClock,
): Promise<number> {
  let exitCode: number = exitCodes.ok;
  let isJson = args.includes('--json');
  const run: Runner = async (flags: CommonFlags, work) => {
    isJson = flags.json === true;
    const session: Session = {
      env,
      clock,
      folder: env['INIT_CWD'] ?? process.cwd(),
      isJson,
      dryRun: flags.dryRun === true,
      notify: streams.err,
      isTerminal: streams.isTerminal === true,
      actor: () => actorOf(flags.by),
    };
    const report = await before(flags.timeout, work(session));
    streams.out(
      isJson ? `${JSON.stringify(report.json, null, 2)}\n` : report.lines.map((line) => `${line}\n`).join(''),
    );
    exitCode = report.exitCode ?? exitCodes.ok;
  };
  try {
    await adminProgram(run, streams).parseAsync(args, { from: 'user' });
  } catch (error) {
    const { kind, message, details } = failureOf(error);
    if (kind === 'ok') return exitCodes.ok; // help: already printed
    streams.err(
      isJson
        ? `${JSON.stringify({ error: kind, message, details }, null, 2)}\n`
        : [`${kind}: ${printable(message)}`, ...details.map((line) => `  ${printable(line)}`), ''].join('\n'),
    );
    return exitCodes[kind];
  }
  return exitCode;
}
