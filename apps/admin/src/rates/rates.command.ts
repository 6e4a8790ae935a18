import { extname } from 'node:path';
import { importRates, parseRatesCsv, parseRatesJson, RatesError, type ReadRates } from '@jetton-analytics/rates';
import { Command } from 'commander';
import { AdminError } from '../admin-error.js';
import { withDatabase } from '../database.js';
import { type InputFile, readInputFile } from '../read-input-file.js';
import { type CommonFlags, type Report, type Runner, type Session, withCommonOptions } from '../session.js';
import { fields } from '../table.js';

interface ImportFlags extends CommonFlags {
  readonly source?: string;
}

function read({ name, text }: InputFile): ReadRates {
  const parse = extname(name).toLowerCase() === '.csv' ? parseRatesCsv : parseRatesJson;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RatesError) throw new AdminError('usage', `${name}: ${error.message}; nothing was imported`);
    throw error;
  }
}

async function importFile(session: Session, path: string, flags: ImportFlags): Promise<Report> {
  const file = readInputFile(path, session.folder);
  if (!['.csv', '.json'].includes(extname(file.name).toLowerCase())) {
    throw new AdminError('usage', `${file.name}: expected a .csv or .json file`);
  }
  const { rows, absent } = read(file);
  const by = session.actor();
  const source = flags.source?.trim() ?? `import of ${file.name} (sha256 ${file.sha256.slice(0, 12)})`;
  if (source === '') throw new AdminError('usage', '--source: must not be empty');
  const { dryRun } = session;
  const result = await withDatabase(session, (database) => importRates(database, rows, { by, source, dryRun }));
  const days = [...new Set(rows.map(({ day }) => day))].sort();
  const span = { days: days.length, firstDay: days.at(0) ?? null, lastDay: days.at(-1) ?? null };
  return {
    json: { file: file.name, ...span, rates: rows.length, ...result, absent, dryRun, by, source },
    lines: fields([
      ['file', `${file.name}: ${rows.length} rates of ${days.length} days, ${span.firstDay} to ${span.lastDay}`],
      [dryRun ? 'would add' : 'added', String(result.inserted)],
      [dryRun ? 'would change' : 'changed', String(result.updated)],
      ['unchanged', String(result.unchanged)],
      ['without any rate', absent.length === 0 ? 'none of the fiats' : absent.join(', ')],
      ['by', by],
      ['source', source],
    ]),
  };
}

/** `rates import`: daily rates of the fiats. */
export function ratesCommand(run: Runner): Command {
  const rates = new Command('rates').description('daily rates of the fiats, base usd');
  const importing = rates
    .command('import <file>')
    .description('take the rates of a .csv (date,eur,gbp,…) or of a .json ({"date","usd":{…}}), all or none')
    .option('--source <text>', 'where they come from, for the record (default: the name and hash of the file)');
  withCommonOptions(importing, { changes: true }).action((path: string, flags: ImportFlags) =>
    run(flags, (session) => importFile(session, path, flags)),
  );
  return rates;
}
