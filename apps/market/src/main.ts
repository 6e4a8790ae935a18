import { CommanderError } from 'commander';
import { marketCommand } from './command.js';
import { createOutput } from './output.js';
import { runReplay, runSimulate } from './run.js';
import { stopSignal } from './stop-signal.js';
import { UserError } from './user-error.js';

const { stdout, stderr } = process;
const signal = stopSignal();
const surroundings = { signal, output: createOutput({ stdout, stderr, isTerminal: stdout.isTTY }) };

function exitCodeOf(error: unknown): number {
  // Commander has printed what is wrong; its own codes say nothing.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (signal.aborted && error === signal.reason) return 0;
  stderr.write(
    `market: ${error instanceof UserError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  return error instanceof UserError ? error.exitCode : 1;
}

process.exitCode = await marketCommand({
  simulate: (options) => runSimulate(options, surroundings),
  replay: (options) => runReplay(options, surroundings),
})
  .parseAsync()
  .then(() => 0, exitCodeOf);
// A connection that is still being retried would keep the process alive.
process.exit();
