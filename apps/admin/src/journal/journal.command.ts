import { listChanges } from '@jetton-analytics/postgres';
import { Command, Option } from 'commander';
import { withDatabase } from '../database.js';
import {
  type CommonFlags,
  type Report,
  type Runner,
  type Session,
  wholeNumber,
  withCommonOptions,
} from '../session.js';
import { table } from '../table.js';

const limitDefault = 20;

async function show(session: Session, limit: number): Promise<Report> {
  const changes = await withDatabase(session, ({ manager }) => listChanges(manager, limit));
  const rows = changes.map(({ id, setAt, setBy, command, outcome, details }) => [
    id,
    setAt.toISOString(),
    setBy,
    command,
    outcome,
    JSON.stringify(details),
  ]);
  return {
    json: {
      changes: changes.map(({ setAt, endedAt, ...change }) => ({
        ...change,
        setAt: setAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      })),
    },
    lines: rows.length === 0 ? ['no changes'] : table(['id', 'when', 'by', 'command', 'outcome', 'asked for'], rows),
  };
}

/** `journal`: what operators changed in Kafka and ClickHouse. */
export function journalCommand(run: Runner): Command {
  const journal = new Command('journal')
    .description('what was changed in Kafka and ClickHouse with this tool, newest first')
    .addOption(
      new Option('--limit <n>', 'how many').default(limitDefault).argParser(wholeNumber('--limit', 1, 10_000)),
    );
  return withCommonOptions(journal, { changes: false }).action((flags: CommonFlags & { limit: number }) =>
    run(flags, (session) => show(session, flags.limit)),
  );
}
