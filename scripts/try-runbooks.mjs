// Runs every command of docs/kubernetes.md, the chart's UPGRADE.md and TROUBLESHOOTING.md and docs/runbooks as it is written:
// `node scripts/try-runbooks.mjs`, in a build of the repository. kubectl and helm speak to a real control plane
// (infra/helm/control-plane/build-tools.sh, once) with the chart installed by the values of docs/kubernetes.md. Containers do
// not run in it: logs, exec and port-forward go through its API server and kwok's kubelet to the real apps, which are processes
// here and follow the Deployments. It needs psql. All on 127.0.0.1, in a folder of its own that is removed.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startControlPlane, toolPath } from '../infra/helm/control-plane/plane.mjs';
import { readPage } from './runbooks/commands.mjs';
import { crds, kubeletDocuments } from './runbooks/cluster-objects.mjs';
import { runInOneShell } from './runbooks/shell.mjs';
import { apps, startStack } from './runbooks/stack.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-runbooks-'));
chmodSync(folder, 0o755); // PostgreSQL, which never runs as root, must be able to pass
const namespace = 'jetton-analytics';
const release = 'jetton-analytics';
const deadlineMs = 300_000;
const counts = { ok: 0, FAILED: 0, 'not run': 0, 'no data': 0 };

const tell = (state, what, detail = '') => {
  counts[state] += 1;
  const lines = detail.trim() === '' ? '' : `\n           ${detail.trim().replaceAll('\n', '\n           ')}`;
  console.log(`${state.padEnd(8)} ${what}${lines}`);
};
const shortened = (line) => (line.length > 150 ? `${line.slice(0, 149)}…` : line);
function excerpt(output, linesMax) {
  const lines = output
    .split('\n')
    .filter(
      (line) =>
        line.trim() !== '' && !/^(Handling connection|> |\[\d+\]|npm warn |\s+• |Defaulted container )/.test(line),
    );
  const more = lines.length > linesMax ? [`… ${lines.length} lines`] : [];
  return [...lines.slice(0, linesMax), ...more]
    .map(shortened)
    .join('\n')
    .replaceAll(folder, '…')
    .replaceAll(root, '.')
    .replaceAll(/ja_live_\w{20,}/g, 'ja_live_…');
}
async function until(what, look) {
  const last = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > last) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await sleep(500);
  }
}

/** Why a command is not run here, if so. */
const notHere = [
  [
    /^(for app in|docker) |docker build/,
    'needs a Docker daemon and a registry: scripts/try-image.mjs builds by the same file',
  ],
  [/^(pg_dump|pg_restore|clickhouse-client) /, 'scripts/try-restore.mjs runs it and compares the answers'],
  [/^npm run admin --$/, 'a name: its commands are run where they stand'],
  [/^(node scripts\/|infra\/helm|node infra\/)/, 'a check of its own'],
];
/** Commands that end otherwise than with 0 where all is well. */
const otherStatuses = [[/kubectl -n \S+ diff -f -/, [0, 1]]];

function isAsExpected(text, statuses) {
  const parts = text.split(/(?<!\|)\|(?!\|)/);
  const [, allowed = [0]] = otherStatuses.find(([pattern]) => pattern.test(text)) ?? [];
  // grep ends with 1 where no line is as it looks for: all is well then. Its words are looked for in the sources below.
  const isGood = (status, index) => allowed.includes(status) || (status === 1 && /^\s*grep /.test(parts[index] ?? ''));
  return statuses.length > 0 && statuses.every(isGood);
}

const kubernetesPage = readPage(join(root, 'docs/kubernetes.md'));
const fence = (language, has) => {
  const found = kubernetesPage.fences.find((one) => one.language === language && one.text.includes(has));
  if (found === undefined) throw new Error(`docs/kubernetes.md has no ${language} with ${has}`);
  return found.text;
};
const secret = randomBytes(9).toString('hex');

/** The statements for PostgreSQL as they are written, then the addresses of both users. */
function usersOfPostgres(url) {
  const [server] = url.split(/\/jetton_analytics$/);
  const psql = (database, ...args) => {
    const done = spawnSync('psql', [`${server}/${database}`, '-X', '-v', 'ON_ERROR_STOP=1', ...args], {
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Error(`psql: ${done.stderr}`);
    return done.stdout;
  };
  psql('postgres', '-c', 'DROP DATABASE jetton_analytics');
  const file = join(folder, 'users.sql');
  writeFileSync(file, fence('sql', 'CREATE ROLE jetton_analytics_owner').replaceAll("'…'", `'${secret}'`));
  tell('ok', 'docs/kubernetes.md: the statements for PostgreSQL, by psql', excerpt(psql('postgres', '-f', file), 12));
  const of = (user) => url.replace(/\/\/[^@]+@/, `//${user}:${secret}@`);
  return { owner: of('jetton_analytics_owner'), app: of('jetton_analytics') };
}

async function statementsOfClickHouse(url) {
  const statements = fence('sql', 'CREATE USER')
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);
  const parsed = [];
  for (const statement of statements) {
    const text = statement.replaceAll("'…'", `'${secret}'`).replaceAll("'", String.raw`\'`);
    const answer = await fetch(url, { method: 'POST', body: `SELECT formatQuery('${text}')` });
    if (!answer.ok) tell('FAILED', `ClickHouse does not parse: ${statement}`, await answer.text());
    else parsed.push(statement);
  }
  tell(
    'ok',
    `docs/kubernetes.md: ${parsed.length} of ${statements.length} statements for ClickHouse are parsed by the engine; users are a server’s`,
  );
}

const script = (path, text) => writeFileSync(path, `#!/bin/bash\n${text}\n`, { mode: 0o755 });

/** Programs by the names that the commands have. */
function makePrograms() {
  const bin = join(folder, 'bin');
  const inPods = join(folder, 'in-pods');
  const work = join(folder, 'work');
  for (const one of [bin, inPods, work]) mkdirSync(one);
  symlinkSync(toolPath('kubectl'), join(bin, 'kubectl'));
  symlinkSync(toolPath('helm4'), join(bin, 'helm'));
  symlinkSync(join(root, 'infra'), join(work, 'infra'));
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  script(join(bin, 'npm'), `cd '${root}' && exec '${npm}' "$@"`);
  // Folders as they are in the image of the admin's tool.
  script(
    join(inPods, 'node'),
    `args=("\${@//\\/files\\//${work}/}")\nargs=("\${args[@]//\\/app\\//${root}/}")\nexec '${process.execPath}' "\${args[@]}"`,
  );
  const write = (name, text) => writeFileSync(join(work, name), text);
  write('values.yaml', fence('yaml', 'publicUrl:'));
  write('admin-pod.yaml', fence('yaml', 'kind: Pod'));
  write('fx_usd_base_daily.csv', 'date,eur,gbp\n2026-11-20,0.93,0.81\n');
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=jettons.example.com'];
  spawnSync('openssl', [...request, '-keyout', join(work, 'tls.key'), '-out', join(work, 'tls.crt')]);
  write('ca.crt', readFileSync(join(work, 'tls.crt'), 'utf8'));
  return { bin, inPods, work, write };
}

/** Every text that a command looks for in a log is one that a source can write. */
function checkLookedFor(pages) {
  const sources = ['apps', 'packages']
    .flatMap((parent) =>
      readdirSync(join(root, parent), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\/src\/.*\.ts$/.test(name) && !name.endsWith('.spec.ts') && !name.includes('node_modules'))
        .map((name) => readFileSync(join(root, parent, name), 'utf8')),
    )
    .join('\n');
  for (const [path, { commands }] of pages) {
    for (const { line, text } of commands) {
      for (const [, flags, pattern] of text.matchAll(/grep ((?:-\w+ )*)'([^']+)'/g)) {
        const isLevel = pattern.includes('"level":');
        const isFound = new RegExp(
          flags.includes('E') ? pattern : pattern.replaceAll(/[()|?+{}]/g, String.raw`\$&`),
          flags.includes('i') ? 'i' : '',
        ).test(sources);
        if (!isLevel)
          tell(
            isFound ? 'ok' : 'FAILED',
            `${path}:${line}: '${pattern}' is ${isFound ? '' : 'not '}what a source writes`,
          );
      }
    }
  }
}

const chart = 'infra/helm/jetton-analytics';
const pages = [
  ['docs/kubernetes.md', kubernetesPage],
  ...[`${chart}/UPGRADE.md`, `${chart}/TROUBLESHOOTING.md`].map((path) => [path, readPage(join(root, path))]),
  ...readdirSync(join(root, 'docs/runbooks'))
    .sort((a, b) => (a === 'README.md' ? -1 : b === 'README.md' ? 1 : a.localeCompare(b)))
    .map((name) => [`docs/runbooks/${name}`, readPage(join(root, 'docs/runbooks', name))]),
];

let stack;
let plane;
let isOver = false;
let following;
async function end() {
  isOver = true;
  await following?.catch((error) => {
    counts.FAILED += 1;
    console.error(error);
  });
  await plane?.stop();
  await stack?.stop();
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().then(() => process.exit(1)));
try {
  const programs = makePrograms();
  stack = await startStack({ root, folder, sql: usersOfPostgres });
  await statementsOfClickHouse(stack.env.CLICKHOUSE_URL);
  const { program } = stack;
  program('aggregator', 'topics.js', [], { more: { CREATE_FEED_TOPICS: '1', FEED_PARTITIONS: '2' }, name: 'topics' });
  program('metrics', 'migrate.js', [], { more: { DATABASE_URL: stack.urls.owner }, name: 'postgres' });
  program('aggregator', 'migrate.js', [], { name: 'clickhouse' });
  program('aggregator', '../../../infra/docker/wait-for-schema.mjs', ['clickhouse', 'postgres'], {
    name: 'wait-for-schema',
  });
  for (const app of apps) await stack.start(app);
  const market = [
    'simulate',
    '--seed=1',
    '--trades=3000',
    '--days=3',
    '--jettons=10',
    `--state-dir=${join(folder, 'feed')}`,
  ];
  program('market', 'main.js', [...market, '--no-live']);
  writeFileSync(join(folder, 'bad.ndjson'), 'no JSON\n{"tx_hash":"without anything else"}\n');
  program('admin', 'main.js', ['backfill', join(folder, 'bad.ndjson'), '--as', 'trades', '--by', 'ann']);
  const gateway = `http://127.0.0.1:${stack.ports.gateway}`;
  await until('the gateway', async () => (await fetch(`${gateway}/readyz`).catch(() => ({}))).ok);
  const [{ metadata }] = await until('a jetton', async () => {
    const { jettons } = await fetch(`${gateway}/v1/jettons?limit=1`).then((answer) => answer.json());
    return jettons?.length > 0 && jettons;
  });
  programs.write('jettons.json', JSON.stringify([{ address: metadata.address }]));
  // For what a container before this one has written.
  await stack.killApp('aggregator');
  await stack.start('aggregator');

  plane = await startControlPlane({
    kubelet: {
      documents: kubeletDocuments(stack, programs.inPods),
      env: { PATH: [programs.inPods, process.env.PATH].join(delimiter) },
    },
  });
  const { kubectl, kubeconfig } = plane;
  for (const crd of crds) kubectl(['apply', '-f', '-'], JSON.stringify(crd));
  const itemsOf = (kind) => {
    const { status, stdout } = kubectl(['-n', namespace, 'get', kind, '-o', 'json']);
    return status === 0 ? JSON.parse(stdout).items : [];
  };
  const told = () =>
    Object.fromEntries(
      itemsOf('deployments').map(({ metadata: { labels }, spec }) => [
        labels['app.kubernetes.io/component'],
        {
          replicas: spec.replicas,
          restartedAt: spec.template.metadata.annotations?.['kubectl.kubernetes.io/restartedAt'],
        },
      ]),
    );
  following = stack.follow(told, () => isOver);
  following.catch(() => undefined); // awaited at the end
  const env = {
    ...process.env,
    ...stack.env,
    PATH: [programs.bin, process.env.PATH].join(delimiter),
    KUBECONFIG: kubeconfig,
    HELM_CACHE_HOME: join(folder, 'helm-cache'),
    NS: namespace,
    R: release,
  };
  const podOf = (component) =>
    itemsOf('pods').find(
      ({ metadata: { labels, deletionTimestamp } }) =>
        labels?.['app.kubernetes.io/component'] === component && deletionTimestamp === undefined,
    )?.metadata.name;
  /** No Deployment is on its way to another state, as when somebody comes to a page who was called by an alert. */
  const isSettled = () =>
    itemsOf('deployments').every(
      ({ metadata: { generation }, spec, status }) =>
        status.observedGeneration === generation &&
        [status.replicas, status.updatedReplicas, status.availableReplicas].every((n) => (n ?? 0) === spec.replicas),
    ) &&
    itemsOf('pods').every(({ metadata: { deletionTimestamp } }) => deletionTimestamp === undefined) &&
    stack.hasFollowed(told());
  /** What a reader fills in, and what the shell of a terminal does for a command that does not end. */
  const filledIn = ({ text, inline }) => {
    const filled = text
      .replaceAll('<pod>', () => podOf('aggregator') ?? '<pod>')
      .replaceAll('<job>', () => itemsOf('jobs')[0]?.metadata.name ?? '<job>')
      .replaceAll('<jetton>', metadata.address)
      .replaceAll("'…'", `'${secret}'`)
      .replaceAll(':…@', `:${secret}@`);
    return inline && filled.includes('port-forward') ? `${filled} &` : filled;
  };
  async function runPage(path, { commands }, before = []) {
    console.log(`\n${path}`);
    await until(`${path}: what the page before has begun is done`, isSettled);
    const runnable = [];
    for (const command of commands) {
      const [, reason] = notHere.find(([pattern]) => pattern.test(command.text)) ?? [];
      const shown = `${path}:${command.line}  $ ${command.text.replaceAll('\n', '\n           ')}`;
      if (reason === undefined) runnable.push({ ...command, shown });
      else tell('not run', shown, reason);
    }
    const texts = [...before, ...runnable].map(filledIn);
    const done = await runInOneShell(texts, { cwd: programs.work, env });
    for (const [index, { shown }] of runnable.entries()) {
      const { output, statuses } = done[before.length + index];
      const text = texts[before.length + index];
      const needsMetrics = / top pods/.test(text) && output.includes('Metrics API not available');
      const isOpen = /…|<\w+>/.test(text.replaceAll(/#.*$/gm, ''));
      const isGood = !isOpen && isAsExpected(text, statuses);
      if (needsMetrics) tell('no data', shown, `${output}: it needs metrics-server`);
      else
        tell(
          isGood ? 'ok' : 'FAILED',
          shown,
          `${isGood ? '' : `ended with ${statuses.join(' ')}\n`}${excerpt(output, isGood ? 4 : 25)}`,
        );
    }
  }

  const [[first, ofKubernetes], ...others] = pages;
  await runPage(first, ofKubernetes);
  for (const [path, page] of others.slice(0, 2)) await runPage(path, page);
  const [[readme, look], ...runbooks] = others.slice(2);
  await runPage(readme, look);
  const before = look.commands.filter(({ inline }) => inline !== true);
  for (const [path, page] of runbooks) await runPage(path, page, before);

  console.log('\nWhat the values name is what the page has made');
  const made = new Map(
    ['secrets', 'configmaps'].map((kind) => [
      kind,
      new Map(itemsOf(kind).map((one) => [one.metadata.name, { ...one.data, ...one.stringData }])),
    ]),
  );
  const named = itemsOf('pods').flatMap(({ spec }) => [
    ...[...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ env: variables = [] }) =>
      variables.flatMap(({ valueFrom }) =>
        valueFrom?.secretKeyRef ? [{ kind: 'secrets', ...valueFrom.secretKeyRef }] : [],
      ),
    ),
    ...(spec.volumes ?? []).flatMap(({ secret: volume, configMap }) => [
      ...(volume ? [{ kind: 'secrets', name: volume.secretName }] : []),
      ...(configMap ? [{ kind: 'configmaps', name: configMap.name }] : []),
    ]),
  ]);
  const hosts = itemsOf('ingresses').flatMap(({ spec }) =>
    (spec.tls ?? []).map(({ secretName }) => ({ kind: 'secrets', name: secretName })),
  );
  for (const one of new Set(
    [...named, ...hosts].map(({ kind, name, key }) => `${kind} ${name}${key === undefined ? '' : ` ${key}`}`),
  )) {
    const [kind, name, key] = one.split(' ');
    const data = made.get(kind).get(name);
    tell(data !== undefined && (key === undefined || key in data) ? 'ok' : 'FAILED', one);
  }
  console.log('\nWhat is looked for in logs');
  checkLookedFor(pages);
} catch (error) {
  counts.FAILED += 1;
  console.error(error);
} finally {
  await end();
}
console.log(
  `\n${Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')}`,
);
process.exit(counts.FAILED === 0 ? 0 : 1);
