import { type ApiKey, createKey, listKeys, revokeKey, rotateKey } from '@jetton-analytics/postgres';
import { Command } from 'commander';
import { withDatabase } from '../database.js';
import { type CommonFlags, type Report, type Runner, type Session, withCommonOptions } from '../session.js';
import { fields, table } from '../table.js';
import { changing } from './change.js';
import { readDuration, readEnd } from './durations.js';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** What may be shown of a key. */
function keyJson(record: ApiKey) {
  const { id, prefix, owner, plan, createdAt, expiresAt, revokedAt, lastUsedAt, setBy, setAt } = record;
  return {
    id,
    prefix,
    owner,
    plan,
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
    revokedAt: iso(revokedAt),
    lastUsedAt: iso(lastUsedAt),
    setBy,
    setAt: iso(setAt),
  };
}

function stateOf({ revokedAt, expiresAt }: ApiKey, nowMs: number): string {
  if (revokedAt !== null) return `revoked ${iso(revokedAt)}`;
  if (expiresAt === null) return 'live';
  return expiresAt.getTime() <= nowMs ? `expired ${iso(expiresAt)}` : `live until ${iso(expiresAt)}`;
}

const keyFields = (record: ApiKey, nowMs: number) =>
  [
    ['id', record.id],
    ['prefix', `${record.prefix}…`],
    ['owner', record.owner],
    ['plan', record.plan],
    ['state', stateOf(record, nowMs)],
    ['by', record.setBy],
  ] as const;

/** A new key is shown here and nowhere else; one that a dry run has taken back is not shown at all. */
function issuedLines(key: string, isDryRun: boolean): string[] {
  if (isDryRun) return ['would make a key (nothing was changed):', ''];
  return ['The key, shown this once and stored nowhere:', '', `  ${key}`, ''];
}

async function create(
  session: Session,
  flags: { readonly owner: string; readonly plan: string; readonly expires?: string },
): Promise<Report> {
  const by = session.actor();
  const nowMs = session.clock.now();
  const expiresAt = flags.expires === undefined ? {} : { expiresAt: readEnd('--expires', flags.expires, nowMs) };
  const { key, record } = await changing(session, (manager) =>
    createKey(manager, { owner: flags.owner.trim(), plan: flags.plan, ...expiresAt, by, at: new Date(nowMs) }),
  );
  const { dryRun } = session;
  return {
    json: { ...(!dryRun && { key }), ...keyJson(record), ...(dryRun && { id: null, prefix: null }), dryRun },
    lines: [
      ...issuedLines(key, dryRun),
      ...fields(keyFields(record, nowMs).filter(([name]) => !dryRun || (name !== 'id' && name !== 'prefix'))),
    ],
  };
}

async function list(session: Session, flags: { readonly owner?: string; readonly live?: true }): Promise<Report> {
  const nowMs = session.clock.now();
  const filter = {
    ...(flags.owner !== undefined && { owner: flags.owner }),
    ...(flags.live === true && { liveAt: new Date(nowMs) }),
  };
  const keys = await withDatabase(session, (database) => listKeys(database.manager, filter));
  const rows = keys.map((record) => [
    record.id,
    `${record.prefix}…`,
    record.owner,
    record.plan,
    stateOf(record, nowMs),
    iso(record.lastUsedAt) ?? 'never',
  ]);
  return {
    json: { keys: keys.map(keyJson) },
    lines: keys.length === 0 ? ['no keys'] : table(['id', 'prefix', 'owner', 'plan', 'state', 'last used'], rows),
  };
}

/** A key is named by its id, its visible prefix (the dots behind it are forgiven) or, at need, its whole text. */
const keyName = (text: string): string => text.replace(/(…|\.\.\.)$/, '');

async function revoke(session: Session, name: string): Promise<Report> {
  const by = session.actor();
  const nowMs = session.clock.now();
  const at = new Date(nowMs);
  const record = await changing(session, (manager) => revokeKey(manager, { key: keyName(name), by, at }));
  const changed = record.revokedAt?.getTime() === nowMs;
  const { dryRun } = session;
  const what = changed ? (dryRun ? 'would be revoked' : 'revoked') : 'was revoked before: nothing to do';
  return {
    json: { ...keyJson(record), changed, dryRun },
    lines: [what, '', ...fields(keyFields(record, nowMs))],
  };
}

async function rotate(session: Session, name: string, flags: { readonly grace: string }): Promise<Report> {
  const by = session.actor();
  const nowMs = session.clock.now();
  const at = new Date(nowMs);
  const graceSeconds = readDuration('--grace', flags.grace);
  const { key, record, former } = await changing(session, (manager) =>
    rotateKey(manager, { key: keyName(name), graceSeconds, by, at }),
  );
  const { dryRun } = session;
  return {
    json: {
      ...(!dryRun && { key }),
      ...keyJson(record),
      ...(dryRun && { id: null, prefix: null }),
      former: keyJson(former),
      dryRun,
    },
    lines: [
      ...issuedLines(key, dryRun),
      `Its predecessor ${former.prefix}… (id ${former.id}) ends at ${iso(former.expiresAt) ?? 'never'}.`,
      '',
      ...fields(keyFields(record, nowMs).filter(([field]) => !dryRun || (field !== 'id' && field !== 'prefix'))),
    ],
  };
}

/** `keys create|list|revoke|rotate`. */
export function keysCommand(run: Runner): Command {
  const keys = new Command('keys').description('credentials of clients');
  const creating = keys
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--owner <name>', 'whose it is')
    .requiredOption('--plan <plan>', 'its plan')
    .option('--expires <when>', 'an instant (2027-01-31T00:00:00Z) or a length from now (90d); default: never');
  withCommonOptions(creating, { changes: true }).action(
    (flags: CommonFlags & { owner: string; plan: string; expires?: string }) =>
      run(flags, (session) => create(session, flags)),
  );
  const listing = keys
    .command('list')
    .description('all keys, newest first, without their text')
    .option('--owner <name>', 'only those of one owner')
    .option('--live', 'without the revoked and expired ones');
  withCommonOptions(listing, { changes: false }).action((flags: CommonFlags & { owner?: string; live?: true }) =>
    run(flags, (session) => list(session, flags)),
  );
  const revoking = keys.command('revoke <key>').description('end a key at once (named by its id or visible prefix)');
  withCommonOptions(revoking, { changes: true }).action((name: string, flags: CommonFlags) =>
    run(flags, (session) => revoke(session, name)),
  );
  const rotating = keys
    .command('rotate <key>')
    .description('make a successor with the same owner and plan; the key itself ends after the grace time')
    .option('--grace <length>', 'how long both work', '24h');
  withCommonOptions(rotating, { changes: true }).action((name: string, flags: CommonFlags & { grace: string }) =>
    run(flags, (session) => rotate(session, name, flags)),
  );
  return keys;
}
