import { runCommand } from './run-command.js';
import { LaunchError } from './launch-error.js';

/** How PostgreSQL's programs are run: PostgreSQL refuses to run as root, so root needs another account for it. */
export interface PostgresAccount {
  readonly uid?: number;
  readonly gid?: number;
  /** A program, with its arguments, that runs the one after it. */
  readonly wrapper: readonly string[];
}

const accountName = 'postgres';
const timeoutMs = 10_000;

async function idOf(flag: '-u' | '-g'): Promise<number | undefined> {
  const { code, lines } = await runCommand('id', 'id', [flag, accountName], { timeoutMs });
  return code === 0 ? Number(lines[0]) : undefined;
}

async function succeeds(command: string, args: readonly string[], account?: { uid: number; gid: number }) {
  try {
    return (await runCommand(command, command, args, { timeoutMs, ...account })).code === 0;
  } catch (error) {
    if (error instanceof LaunchError) return false; // no such program here
    throw error;
  }
}

/**
 * The account to run PostgreSQL under: ours, or, for root, the system's `postgres`, which is made when it is missing.
 * `paths` are files and folders it must reach. A checkout of root's may lie where nobody else may look (/root): then the
 * programs get the right to pass, by setpriv, instead of us opening somebody's folder to everybody.
 * Throws a LaunchError when that is not possible here.
 */
export async function postgresAccount(paths: readonly string[]): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { wrapper: [] };
  if ((await idOf('-u')) === undefined) {
    await succeeds('groupadd', [accountName]);
    await succeeds('useradd', ['-g', accountName, '-M', '-s', '/usr/sbin/nologin', accountName]);
  }
  const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]);
  if (uid === undefined || gid === undefined) {
    throw new LaunchError(
      'PostgreSQL refuses to run as root, and a user postgres could not be made for it; set DATABASE_URL',
    );
  }
  const reached = await Promise.all(paths.map((path) => succeeds('test', ['-e', path], { uid, gid })));
  if (!reached.includes(false)) return { uid, gid, wrapper: [] };
  const pass = '+dac_override,+dac_read_search';
  const wrapper = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', `--inh-caps=${pass}`];
  wrapper.push(`--ambient-caps=${pass}`, '--');
  const [program = '', ...rest] = wrapper;
  if (await succeeds(program, [...rest, 'test', '-e', paths[reached.indexOf(false)] ?? '/']))
    return { uid, gid, wrapper };
  throw new LaunchError(
    `PostgreSQL refuses to run as root, and its user postgres may not enter ${paths[reached.indexOf(false)]}: move the checkout to a folder everybody may enter, run as another user, or set DATABASE_URL`,
  );
}
