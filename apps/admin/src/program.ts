import { Command } from 'commander';
import { keysCommand } from './access/keys.command.js';
import { plansCommand } from './access/plans.command.js';
import { auditCommand } from './audit/audit.command.js';
import { backfillCommand } from './backfill/backfill.command.js';
import { dlqCommand } from './dlq/dlq.command.js';
import { explainCommand } from './explain/explain.command.js';
import { journalCommand } from './journal/journal.command.js';
import { labelsCommand } from './labels/labels.command.js';
import { offsetsCommand } from './offsets/offsets.command.js';
import { ratesCommand } from './rates/rates.command.js';
import { rebuildCommand } from './rebuild/rebuild.command.js';
import type { Runner } from './session.js';
import { topicsCommand } from './topics/topics.command.js';
import { statusCommand } from './status/status.command.js';

interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** The command line: its groups, each in a folder of its own. */
export function adminProgram(run: Runner, output: Output): Command {
  const program = new Command('npm run admin --').description(
    'Operates jetton-analytics. Stores and topics are named by the settings of the apps (.env.example).',
  );
  const groups = [
    statusCommand(run),
    explainCommand(run),
    keysCommand(run),
    plansCommand(run),
    labelsCommand(run),
    ratesCommand(run),
    offsetsCommand(run),
    topicsCommand(run),
    dlqCommand(run),
    rebuildCommand(run),
    auditCommand(run),
    backfillCommand(run),
    journalCommand(run),
  ];
  for (const group of groups) program.addCommand(group);
  for (const command of allOf(program)) {
    // Whoever catches the error shows it.
    command
      .exitOverride()
      .allowExcessArguments(false)
      .configureOutput({ writeOut: output.out, writeErr: output.err, outputError: () => undefined });
  }
  return program;
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];
