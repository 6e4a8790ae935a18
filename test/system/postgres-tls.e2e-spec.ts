import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, type RunningPostgres, startPostgres } from '@jetton-analytics/embedded';
import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { hasProgram } from '@jetton-analytics/testing';

let folder: string;
let server: RunningPostgres;

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
const file = (name: string) => join(folder, name);

/** An authority of its own: key and certificate as files `<name>.key` and `<name>.crt`. */
function makeAuthority(name: string): void {
  const subject = ['-days', '2', '-subj', `/CN=${name}`];
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    ...subject,
    '-keyout',
    file(`${name}.key`),
    '-out',
    file(`${name}.crt`),
  );
}

/** A certificate for `subject`, signed by the authority. */
function sign(name: string, subject: string, authority: string): void {
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    subject,
    '-keyout',
    file(`${name}.key`),
    '-out',
    file(`${name}.csr`),
  );
  writeFileSync(file('san.cnf'), 'subjectAltName=IP:127.0.0.1\n');
  const by = ['-CA', file(`${authority}.crt`), '-CAkey', file(`${authority}.key`), '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-in',
    file(`${name}.csr`),
    ...by,
    '-days',
    '2',
    '-extfile',
    file('san.cnf'),
    '-out',
    file(`${name}.crt`),
  );
}

/** The server's address as an operator would give it. */
function addressOf(parameters: Record<string, string>): string {
  const url = new URL(server.url);
  for (const [name, text] of Object.entries(parameters)) url.searchParams.set(name, text);
  return url.toString();
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = createDataSource(url, { application: 'spec' });
  try {
    await database.initialize();
    return await database.query<Record<string, unknown>[]>(sql);
  } finally {
    if (database.isInitialized) await database.destroy();
  }
}

const secured = 'SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
const withAuthority = () => ({ sslmode: 'verify-full', sslrootcert: file('authority.crt') });
const withCertificate = (name: string) => ({ sslcert: file(`${name}.crt`), sslkey: file(`${name}.key`) });

const mutual = (parameters: Record<string, string>) => {
  const url = new URL(addressOf({ ...withAuthority(), ...parameters }));
  url.pathname = '/mutual';
  return url.toString();
};

const canSign = hasProgram('openssl', 'tests of a PostgreSQL with TLS');
const describeSecured = canSign ? describe : describe.skip;

beforeAll(async () => {
  if (!canSign) return;
  folder = mkdtempSync(join(tmpdir(), 'jetton-postgres-tls-'));
  makeAuthority('authority');
  makeAuthority('strange');
  sign('server', '/CN=127.0.0.1', 'authority');
  sign('client', '/CN=postgres', 'authority');
  sign('stranger', '/CN=postgres', 'strange');
  server = await startPostgres({ dataDir: file('data'), port: await freePort(), durable: false });
  const cluster = file('data/cluster');
  const { uid, gid } = statSync(cluster);
  for (const [name, from] of [
    ['server.crt', 'server.crt'],
    ['server.key', 'server.key'],
    ['clients.crt', 'authority.crt'],
  ] as const) {
    writeFileSync(join(cluster, name), readFileSync(file(from)), { mode: 0o600 });
    chownSync(join(cluster, name), uid, gid);
  }
  const settings = { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key', ssl_ca_file: 'clients.crt' };
  for (const [name, text] of Object.entries(settings)) await query(server.url, `ALTER SYSTEM SET ${name} = '${text}'`);
  await query(server.url, 'CREATE DATABASE mutual');
  // What is not written here is refused: nobody comes without TLS any more, and to `mutual` nobody without a certificate.
  writeFileSync(
    join(cluster, 'pg_hba.conf'),
    'hostssl mutual all 127.0.0.1/32 scram-sha-256 clientcert=verify-full\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
  );
  await query(server.url, 'SELECT pg_reload_conf()');
}, 600_000);

afterAll(async () => {
  if (!canSign) return;
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 600_000);

describeSecured('a PostgreSQL with TLS', () => {
  it('is migrated and asked over TLS with an authority of its own', async () => {
    const url = addressOf(withAuthority());
    expect((await migrate(url)).length).toBeGreaterThan(0);
    expect(await query(url, secured)).toEqual([{ ssl: true, client_dn: null }]);
  });

  it('is not asked in the clear where it refuses that', async () => {
    await expect(query(server.url, 'SELECT 1')).rejects.toThrow(/no encryption/);
  });

  it('is not trusted with a certificate of another authority', async () => {
    const strange = addressOf({ sslmode: 'verify-full', sslrootcert: file('strange.crt') });
    await expect(query(strange, 'SELECT 1')).rejects.toThrow(/certificate/);
  });
});

describeSecured('a PostgreSQL that asks clients for a certificate', () => {
  it('is asked with ours', async () => {
    expect(await query(mutual(withCertificate('client')), secured)).toEqual([{ ssl: true, client_dn: '/CN=postgres' }]);
  });

  it('refuses whoever has none, or one of another authority', async () => {
    await expect(query(mutual({}), 'SELECT 1')).rejects.toThrow(/client certificate/);
    await expect(query(mutual(withCertificate('stranger')), 'SELECT 1')).rejects.toThrow(
      /unknown ca|terminated|reset/i,
    );
  });
});
