import { toUserFriendly } from '@jetton-analytics/feed';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command } from 'commander';
import { rawAddress } from '../address.js';
import { AdminError } from '../admin-error.js';
import { withDatabase } from '../database.js';
import { LabelsEnv } from '../env.js';
import { readInputFile } from '../read-input-file.js';
import { type CommonFlags, type Report, type Runner, type Session, withCommonOptions } from '../session.js';
import { fields, table } from '../table.js';
import { parseCuratedList } from './curated-list.js';
import { importLabels, type LabelImportResult } from './import-labels.js';
import { setLabel } from './set-label.js';
import { showLabel } from './show-label.js';
import { readVerification } from './verification.js';

const reasonCharsMax = 1_000;
const keptShownMax = 20;

interface ImportFlags extends CommonFlags {
  readonly as: string;
  readonly reason?: string;
  readonly overwrite?: true;
}

function readReason(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= reasonCharsMax) return reason;
  throw new AdminError('usage', `--reason: expected 1 to ${reasonCharsMax} characters`);
}

async function importList(session: Session, path: string, flags: ImportFlags): Promise<Report> {
  const { NETWORK } = loadSettings(LabelsEnv, session.env);
  const verification = readVerification(flags.as);
  const file = readInputFile(path, session.folder);
  const list = parseCuratedList(file.text, NETWORK);
  const reason = readReason(flags.reason ?? `import of ${file.name} (sha256 ${file.sha256.slice(0, 12)})`);
  const by = session.actor();
  const nowMs = session.clock.now();
  const { dryRun } = session;
  const overwrite = flags.overwrite === true;
  const result = await withDatabase(session, (database) =>
    importLabels(database, { addresses: list.addresses, verification, by, reason, nowMs, overwrite, dryRun }),
  );
  const at = new Date(nowMs).toISOString();
  const { entries, addresses } = list;
  return {
    json: { file: file.name, verification, entries, jettons: addresses.length, ...result, dryRun, by, at, reason },
    lines: [
      ...fields([
        [dryRun ? 'would label' : 'labelled', `${result.added + result.replaced.length} jettons as ${verification}`],
        ['entries', `${entries}, of ${addresses.length} jettons`],
        ['added', String(result.added)],
        ['unchanged', String(result.unchanged)],
        ['replaced', String(result.replaced.length)],
        ['kept', String(result.kept.length)],
        ['by', by],
        ['reason', reason],
      ]),
      ...otherLines(result),
    ],
  };
}

/** The labels that said otherwise. */
function otherLines({ kept, replaced }: LabelImportResult): string[] {
  const others = [...replaced, ...kept];
  if (others.length === 0) return [];
  const rows = others
    .slice(0, keptShownMax)
    .map((label) => [label.address, label.verification, label.setBy, label.setAt]);
  const more = others.length > keptShownMax ? [`… and ${others.length - keptShownMax} more (see --json)`] : [];
  const note =
    kept.length > 0 ? 'labelled otherwise and kept (--overwrite replaces them):' : 'labelled otherwise before:';
  return ['', note, ...table(['jetton', 'verification', 'set by', 'set at'], rows), ...more];
}

async function set(session: Session, text: string, label: string, flags: { reason: string }): Promise<Report> {
  const address = rawAddress(session, 'address', text);
  const verification = readVerification(label);
  const reason = readReason(flags.reason);
  const by = session.actor();
  const nowMs = session.clock.now();
  const { dryRun } = session;
  const result = await withDatabase(session, (database) =>
    setLabel(database, { address, verification, by, reason, nowMs, dryRun }),
  );
  const at = new Date(nowMs).toISOString();
  const what = result.changed
    ? `${dryRun ? 'would change' : 'changed'} from ${result.from} to ${result.to}`
    : `${result.to} already: nothing to change`;
  return {
    json: { address, ...result, dryRun, by, at, reason },
    lines: fields([
      ['jetton', address],
      ['label', what],
      ['by', by],
      ['reason', reason],
    ]),
  };
}

async function show(session: Session, text: string): Promise<Report> {
  const address = rawAddress(session, 'address', text);
  const { label, history } = await withDatabase(session, (database) => showLabel(database, address));
  const userFriendly = toUserFriendly(address, { bounceable: true });
  const verification = label?.verification ?? 'JVS_NONE';
  const rows = history.map((change) => [change.setAt, change.verification, change.setBy, change.reason]);
  return {
    json: { address, userFriendly, verification, ...(label !== undefined && { label }), history },
    lines: [
      ...fields([
        ['jetton', `${address} (${userFriendly})`],
        ['verification', verification],
      ]),
      '',
      ...(rows.length === 0 ? ['never labelled'] : table(['when', 'verification', 'by', 'why'], rows)),
    ],
  };
}

/** `labels import|set|show`: what curators say of jettons. */
export function labelsCommand(run: Runner): Command {
  const labels = new Command('labels').description('what curators say of jettons');
  const imports = labels
    .command('import <file>')
    .description('label every jetton of a curated list (a JSON array of objects with an address)')
    .option('--as <verification>', 'what the entries become', 'JVS_APPROVED')
    .option('--reason <text>', 'why, for the record (default: the name and hash of the file)')
    .option('--overwrite', 'also replace labels that say otherwise');
  withCommonOptions(imports, { changes: true }).action((path: string, flags: ImportFlags) =>
    run(flags, (session) => importList(session, path, flags)),
  );
  const setting = labels
    .command('set <address> <verification>')
    .description('label one jetton; JVS_NONE takes a label away')
    .requiredOption('--reason <text>', 'why, for the record');
  withCommonOptions(setting, { changes: true }).action(
    (address: string, verification: string, flags: CommonFlags & { reason: string }) =>
      run(flags, (session) => set(session, address, verification, flags)),
  );
  const showing = labels.command('show <address>').description('the label of a jetton and how it came about');
  withCommonOptions(showing, { changes: false }).action((address: string, flags: CommonFlags) =>
    run(flags, (session) => show(session, address)),
  );
  return labels;
}
