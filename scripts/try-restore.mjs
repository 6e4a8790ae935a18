// Takes backups as docs/kubernetes.md says, loses ClickHouse and PostgreSQL, puts both back, and compares answers of the
// gateway before and after, byte by byte: `node scripts/try-restore.mjs`, in a build of the repository. It needs the
// programs of one PostgreSQL ≥ 14 (initdb, postgres, pg_dump, pg_restore) in PG_BIN or where `pg_config --bindir` says: the
// embedded one comes without pg_dump. ClickHouse is its engine behind apps/clickhouse-local, Kafka the embedded one. All on
// 127.0.0.1, in a folder of its own that is removed.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, spawnManaged, spawnNodeApp, startClickHouseLocal, startKafka } from '@jetton-analytics/embedded';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = process.env.PG_BIN ?? (spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout ?? '').trim();
const missing = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore'].filter((name) => !existsSync(join(bin, name)));
const isBuilt = existsSync(join(root, 'apps/gateway/dist/main.js'));
if (missing.length > 0 || !isBuilt) {
  if (missing.length > 0)
    console.error(`missing in PG_BIN (${bin}): ${missing.join(', ')} (Debian: apt-get install postgresql libpq-dev)`);
  if (!isBuilt) console.error('build the repository first: npm run build');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-restore-'));
chmodSync(folder, 0o755); // PostgreSQL, which never runs as root, must be able to pass
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const deadlineMs = 240_000;
const name = 'jetton_analytics';
const secrets = { postgres: 'of-the-superuser', owner: 'of-the-owner', app: 'of-the-apps' };
/** By the time of the feed's records: shortly before the older of the backups was begun. */
const instant = '2026-03-10T09:00:00Z';
let failures = 0;

const tell = (ok, what, detail = '') => {
  if (!ok) failures += 1;
  const lines = detail.trim() === '' ? '' : `\n       ${detail.trim().replaceAll('\n', '\n       ')}`;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}${lines}`);
};
const shown = (text) => text.replaceAll(folder, '…').replaceAll(/:\/\/([a-z_]+):[^@]+@/g, '://$1:…@');
function run(program, args, options = {}) {
  const done = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, ...options });
  const text = `${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`;
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${text.slice(-4_000)}`);
  return done.stdout;
}
/** Runs a command of the documentation and shows it. */
function follow(program, args) {
  const began = performance.now();
  run(join(bin, program), args);
  console.log(
    `       $ ${shown([program, ...args].join(' '))}   (${((performance.now() - began) / 1_000).toFixed(1)} s)`,
  );
}
async function until(what, look) {
  const began = performance.now();
  for (;;) {
    const found = await look();
    if (found) return ((performance.now() - began) / 1_000).toFixed(1);
    if (performance.now() - began > deadlineMs) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await sleep(500);
  }
}
async function stopped(child) {
  process.kill(child.pid, 'SIGKILL');
  await child.exited;
}

// PostgreSQL with the owner and the user of docs/kubernetes.md.
const postgresPort = await freePort();
const addressOf = (user, secret, database = name) =>
  `postgres://${user}:${secret}@127.0.0.1:${postgresPort}/${database}`;
const superuser = addressOf('postgres', secrets.postgres, 'postgres');
const owner = addressOf(`${name}_owner`, secrets.owner);
const databaseUrl = addressOf(name, secrets.app);
const psql = (url, sql) => run(join(bin, 'psql'), [url, '-v', 'ON_ERROR_STOP=1', '-At', '-c', sql]).trim();
async function newPostgres() {
  const dataDir = join(folder, 'postgres');
  mkdirSync(dataDir, { mode: 0o700 });
  if (account.uid !== undefined) chownSync(dataDir, account.uid, account.gid);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, secrets.postgres, { mode: 0o644 });
  const flags = ['-D', dataDir, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${secretFile}`, '--encoding=UTF8'];
  run(join(bin, 'initdb'), [...flags, '--locale=C'], account);
  const server = await spawnManaged({
    name: 'postgres',
    command: join(bin, 'postgres'),
    args: [`-D${dataDir}`, `-p${postgresPort}`, '-clisten_addresses=127.0.0.1', '-cunix_socket_directories='],
    cwd: dataDir,
    ...account,
    output: { file: join(folder, 'postgres.log') },
    stopSignal: 'SIGINT',
    readyWhen: async () => {
      try {
        return psql(superuser, 'SELECT 1') === '1';
      } catch {
        return false; // still starting; should it end instead, the process is watched
      }
    },
  });
  psql(superuser, `CREATE ROLE ${name}_owner LOGIN PASSWORD '${secrets.owner}'`);
  psql(superuser, `CREATE ROLE ${name} LOGIN PASSWORD '${secrets.app}'`);
  psql(superuser, `CREATE DATABASE ${name} OWNER ${name}_owner`);
  return server;
}
const grantDefaults = () =>
  psql(
    addressOf('postgres', secrets.postgres),
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${name}_owner IN SCHEMA public
       GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${name};
     ALTER DEFAULT PRIVILEGES FOR ROLE ${name}_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${name}`,
  );

// ClickHouse: the folder of backups is outside of what is lost.
const clickhousePort = await freePort();
const backups = join(folder, 'backups');
mkdirSync(backups);
const newClickHouse = () =>
  startClickHouseLocal({
    repositoryRoot: root,
    dataDir: join(folder, 'clickhouse'),
    port: clickhousePort,
    env: { ...process.env, CLICKHOUSE_LOCAL_BACKUP_DIR: backups },
    output: { file: join(folder, 'clickhouse.log') },
  });
async function clickhouse(statement) {
  const response = await fetch(`http://127.0.0.1:${clickhousePort}/`, { method: 'POST', body: statement });
  const text = await response.text();
  if (!response.ok) throw new Error(`${statement}: ${text}`);
  return text.trim();
}
async function followStatement(statement) {
  const began = performance.now();
  const state = (await clickhouse(statement)).split('\t')[1];
  console.log(`       > ${shown(statement)}   ${state} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
}
/** Rows of every table, each key once. */
async function rowsOf() {
  const tables = (
    await clickhouse(`SELECT name FROM system.tables WHERE database = '${name}' AND total_rows > 0 ORDER BY name`)
  )
    .split('\n')
    .filter((table) => table !== '');
  const counts = {};
  for (const table of tables) {
    const engine = await clickhouse(
      `SELECT engine FROM system.tables WHERE database = '${name}' AND name = '${table}'`,
    );
    const final = /Replacing|Aggregating|Summing/.test(engine) ? ' FINAL' : '';
    counts[table] = Number(await clickhouse(`SELECT count() FROM ${name}.${table}${final}`));
  }
  return counts;
}

let kafka;
const stores = {};
const apps = {};
let env;
const linesOf = {};
async function startApp(app, more = {}) {
  const port = (env.ports[app] ??= await freePort());
  const lines = (linesOf[app] = []);
  apps[app] = await spawnNodeApp({
    name: app,
    script: join(root, 'apps', app, 'dist/main.js'),
    env: { ...env.all, ...more, PORT: String(port), METRICS_PORT: '0' },
    output: { onLine: (line) => void (lines.push(line) > 60 && lines.shift()) },
    readyWhen: async () => (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => ({}))).ok === true,
    readyTimeoutMs: deadlineMs,
  });
}
async function stopApps(...names) {
  for (const app of names) {
    await apps[app].stop();
    delete apps[app];
  }
}
const program = (app, file, args = [], more = {}) =>
  run(process.execPath, [join(root, 'apps', app, 'dist', file), ...args], {
    env: { ...env.all, ...more },
  });
const admin = (...args) => {
  console.log(`       $ admin ${args.join(' ')}`);
  return program('admin', 'main.js', args);
};
const produce = (seed, end) =>
  program('market', 'main.js', [
    'simulate',
    `--seed=${seed}`,
    '--trades=1500',
    '--days=3',
    '--jettons=10',
    `--end=${end}`,
    '--no-live',
    `--state-dir=${join(folder, `feed-${seed}`)}`,
  ]);

const gateway = () => `http://127.0.0.1:${env.ports.gateway}`;
const get = async (path, headers) => {
  const response = await fetch(gateway() + path, { headers, signal: AbortSignal.timeout(15_000) });
  return `${response.status} ${await response.text()}`;
};
const sum = (input, field) => input.partitions.reduce((total, one) => total + BigInt(one[field]), 0n);
/** Every window has counted every trade that is there, and every other input is read to its end. */
async function isCaughtUp() {
  const response = await fetch(`${gateway()}/v1/status`).catch(() => undefined);
  if (response?.ok !== true) return false;
  const { inputs, windows } = await response.json();
  const trades = inputs.find(({ topic }) => topic.endsWith('trades'));
  if (inputs.length < 4 || trades === undefined || sum(trades, 'endOffset') === 0n) return false;
  const all = Object.values(windows);
  return (
    inputs.every((input) => sum(input, 'position') >= sum(input, 'endOffset')) &&
    all.length === 7 &&
    all.every(({ inputPosition }) => BigInt(inputPosition) >= sum(trades, 'endOffset'))
  );
}
let key;
let addresses = [];
const listed = async () =>
  JSON.parse((await get('/v1/jettons?limit=50')).slice(4)).jettons.map(({ metadata }) => metadata.address);
async function answers() {
  const headers = { 'X-API-Key': key };
  const found = {};
  const lists = ['/v1/jettons?limit=50', '/v1/jettons?limit=50&currency=eur'];
  const each = addresses.flatMap((address) =>
    ['', '/stats', '/markets', '/transactions?limit=20'].map((tail) => `/v1/jettons/${address}${tail}`),
  );
  for (const path of [...lists, ...each]) found[path] = await get(path, headers);
  return found;
}
const different = (a, b) => Object.keys(a).filter((path) => a[path] !== b[path]);
/** What stands where two texts begin to differ. */
function excerpt(text, other) {
  const at = [...text].findIndex((character, index) => character !== other[index]);
  return text.slice(Math.max(0, at - 100), at + 100);
}
/** Waits for the very same answers: read models follow the stores. */
async function expectSame(what, before) {
  let now;
  let left = [];
  const caught = await until('caught up', isCaughtUp);
  const seconds = await until('the same answers', async () => {
    now = await answers();
    left = different(before, now);
    return left.length === 0;
  }).catch(() => undefined);
  const [first] = left;
  tell(
    left.length === 0,
    `${what}: all ${Object.keys(before).length} answers are what they were, byte by byte`,
    first === undefined
      ? `caught up after ${caught} s, the same after ${seconds} s more`
      : `${left.length} differ; ${first}\nbefore ${excerpt(before[first], now[first])}\nnow    ${excerpt(now[first], before[first])}`,
  );
}
const table = (columns) =>
  [...new Set(columns.flatMap(([, counts]) => Object.keys(counts)))]
    .sort((a, b) => a.localeCompare(b))
    .map((one) => [one.padEnd(36), ...columns.map(([, counts]) => String(counts[one] ?? '-').padStart(14))].join(''))
    .join('\n');

try {
  kafka = await startKafka({ dataDir: join(folder, 'kafka'), cacheDir: join(root, '.cache'), port: await freePort() });
  stores.postgres = await newPostgres();
  grantDefaults();
  stores.clickhouse = await newClickHouse();
  const { PATH, HOME } = process.env;
  const ports = { statistics: await freePort(), metrics: await freePort() };
  env = {
    ports,
    all: {
      PATH,
      HOME,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      CLOCK: 'event',
      RATE_LIMITS: 'off',
      KAFKA_BROKERS: kafka.brokers.join(','),
      CLICKHOUSE_URL: `http://127.0.0.1:${clickhousePort}`,
      DATABASE_URL: databaseUrl,
      CURSOR_SECRET: 'signs the cursors of this rehearsal only',
      STATISTICS_URL: `http://127.0.0.1:${ports.statistics}`,
      METRICS_URL: `http://127.0.0.1:${ports.metrics}`,
      PUBLIC_URL: 'https://jettons.example.com',
    },
  };
  console.log(`${run(join(bin, 'postgres'), ['--version']).trim()}, engine ${await clickhouse('SELECT version()')}\n`);
  program('metrics', 'migrate.js', [], { DATABASE_URL: owner });
  program('aggregator', 'migrate.js');
  program('aggregator', 'topics.js', [], { CREATE_FEED_TOPICS: '1', FEED_PARTITIONS: '2' });
  for (const app of ['aggregator', 'statistics', 'metrics', 'gateway']) await startApp(app);

  console.log('A market, and what nobody else knows: a label, a key, a rate');
  produce(1, '2026-03-10T10:00:00Z');
  await until('the first market', isCaughtUp);
  await until('a list', async () => (await listed()).length > 0);
  const [first] = await listed();
  admin('labels', 'set', first, 'JVS_SCAM', '--reason', 'rehearsal', '--by', 'ann');
  writeFileSync(join(folder, 'rates.json'), JSON.stringify({ date: '2026-03-10', usd: { eur: 0.9371 } }));
  program('admin', 'main.js', ['rates', 'import', join(folder, 'rates.json'), '--by', 'ann']);
  const created = program('admin', 'main.js', ['keys', 'create', '--owner', 'team', '--plan', 'pro', '--by', 'ann']);
  [key] = /ja_live_\S+/.exec(created);

  console.log('\nThe backups');
  follow('pg_dump', ['--format=custom', `--file=${join(folder, 'jetton_analytics.dump')}`, `--dbname=${owner}`]);
  await followStatement(`BACKUP DATABASE ${name} TO File('${join(backups, 'full')}')`);
  produce(2, '2026-03-13T10:00:00Z');
  await until('the second market', isCaughtUp);
  const justBefore = await rowsOf();
  await followStatement(
    `BACKUP DATABASE ${name} TO File('${join(backups, 'next')}') SETTINGS base_backup = File('${join(backups, 'full')}')`,
  );
  const justAfter = await rowsOf();
  produce(3, '2026-03-16T10:00:00Z');
  await until('the third market', isCaughtUp);
  let before = {};
  await until('answers that stay', async () => {
    addresses = (await listed()).slice(0, 15);
    const now = await answers();
    const isSame = JSON.stringify(now) === JSON.stringify(before);
    before = now;
    return isSame && (await sleep(5_000, true)) && JSON.stringify(await answers()) === JSON.stringify(before);
  });
  const rowsBefore = await rowsOf();
  const refused = Object.entries(before).filter(([, answer]) => !answer.startsWith('200 '));
  tell(
    refused.length === 0 && addresses.length === 15,
    `${Object.keys(before).length} answers about ${addresses.length} jettons, every one 200`,
    refused.map(([path, answer]) => `${path} ${answer.slice(0, 200)}`).join('\n'),
  );

  console.log('\nBoth stores are killed and their folders removed; both are put back');
  await stopped(stores.clickhouse);
  await stopped(stores.postgres);
  await stopApps('aggregator');
  for (const lost of ['clickhouse', 'postgres']) rmSync(join(folder, lost), { recursive: true });
  stores.postgres = await newPostgres();
  stores.clickhouse = await newClickHouse();
  tell(psql(owner, `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`) === '0', 'PostgreSQL has no table');
  tell(!(await clickhouse('SHOW DATABASES')).split('\n').includes(name), 'ClickHouse has no database of ours');
  follow('pg_restore', ['--exit-on-error', `--dbname=${owner}`, join(folder, 'jetton_analytics.dump')]);
  await followStatement(`RESTORE DATABASE ${name} FROM File('${join(backups, 'next')}')`);
  const restored = await rowsOf();
  // The aggregator went on while the backup was taken.
  const isWithin = ([one, count]) =>
    count >= Math.min(justBefore[one] ?? 0, justAfter[one] ?? 0) &&
    count <= Math.max(justBefore[one] ?? 0, justAfter[one] ?? 0);
  const counted = Object.entries({ ...Object.fromEntries(Object.keys(justAfter).map((one) => [one, 0])), ...restored });
  tell(
    counted.length > 10 && counted.every(isWithin),
    `every one of ${counted.length} tables has as many rows as while the backup was taken`,
    counted
      .filter((one) => !isWithin(one))
      .map(([one, count]) => `${one}: ${count}, and was ${justBefore[one]} to ${justAfter[one]}`)
      .join('\n'),
  );
  console.log(admin('offsets', 'reset', '--to', instant, '--by', 'ann').trim().replaceAll(/^/gm, '         '));
  await stopApps('statistics', 'metrics', 'gateway');
  for (const app of ['aggregator', 'statistics', 'metrics', 'gateway']) await startApp(app);
  await expectSame('put back from the backups', before);
  const rowsAfter = await rowsOf();
  console.log(
    `\n${'rows, each key once'.padEnd(36)}${['lost', 'in the backup', 'caught up'].map((one) => one.padStart(14)).join('')}`,
  );
  console.log(
    table([
      ['lost', rowsBefore],
      ['restored', restored],
      ['after', rowsAfter],
    ]),
  );
  const audit = JSON.parse(program('admin', 'main.js', ['audit', '--buckets', '500', '--settle', '0', '--json']));
  console.log(`\nadmin audit --buckets 500: ${JSON.stringify(audit).slice(0, 300)}`);

  console.log('\nClickHouse is lost again, without a backup');
  await stopped(stores.clickhouse);
  await stopApps('aggregator');
  rmSync(join(folder, 'clickhouse'), { recursive: true });
  stores.clickhouse = await newClickHouse();
  program('aggregator', 'migrate.js');
  await stopApps('statistics', 'metrics', 'gateway');
  env.all.SOURCE_KAFKA_GROUP_ID = 'jetton-analytics-aggregator-2';
  for (const app of ['aggregator', 'statistics', 'metrics', 'gateway']) await startApp(app);
  await expectSame('made again from the feed by another group', before);
} catch (error) {
  failures += 1;
  console.error(error);
  for (const [app, lines] of Object.entries(linesOf)) console.error(`--- ${app}\n${lines.slice(-12).join('\n')}`);
} finally {
  for (const app of Object.values(apps).toReversed()) await app.stop();
  for (const store of Object.values(stores)) await store.stop();
  await kafka?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? '\nall as it should be' : `\n${failures} FAILED`);
process.exit(failures === 0 ? 0 : 1);
