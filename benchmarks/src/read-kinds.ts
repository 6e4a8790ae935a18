import type { Case } from './read-cases.js';
import { get, type Target } from './read-load.js';
import type { Started } from './read-stack.js';
import { Spent } from './spent.js';

/** The servers that are measured, all of them over one read model. */
export interface Servers {
  readonly bare: Started;
  readonly plain: Started;
  /** With limits and lines. */
  readonly on: Started;
  /** Without limits, lines and kept answers. */
  readonly off: Started;
  readonly apps: Readonly<Record<Case['app'], Started>>;
  readonly key: string;
}

/** Every kind of server for one request, with what each needs to answer it. */
export async function kindsOf(one: Case, { bare, plain, on, off, apps, key }: Servers): Promise<Record<string, Spent>> {
  const credential = { authorization: `Bearer ${key}` };
  const first = await get({ url: on.url + one.path, headers: credential });
  if (first.status !== 200) throw new Error(`${one.path} answered ${first.status}: ${first.body.toString()}`);
  const known: Record<string, string> =
    one.status === 304 && first.etag !== undefined ? { 'if-none-match': first.etag } : {};
  const body = one.status === 304 ? '' : first.body.toString();
  const json = { 'x-status': String(one.status), 'content-type': 'application/json' };
  await fetch(bare.url, { method: 'POST', body, headers: json });
  const app = apps[one.app];
  const of = (url: string, headers: Target['headers'], pids: readonly number[]) =>
    new Spent({ url, headers }, one.status, pids);
  const whole = (server: Started, headers: Record<string, string>) =>
    of(server.url + one.path, { ...headers, ...known }, [server.pid, app.pid]);
  const isFree = one.isPaid !== true;
  if (one.status === 200) await fetch(plain.url, { method: 'POST', body, headers: json });
  return {
    bare: of(`${bare.url}/`, {}, [bare.pid]),
    on: whole(on, credential),
    off: whole(off, isFree ? {} : credential),
    // Without a key: what the gateway may keep.
    ...(isFree && { hot: whole(on, {}) }),
    ...(one.status === 200 && {
      plain: of(`${plain.url}/`, {}, [plain.pid]),
      gzip: whole(on, { ...credential, 'accept-encoding': 'gzip' }),
      zstd: whole(on, { ...credential, 'accept-encoding': 'zstd' }),
    }),
  };
}
