// Executes every query of every dashboard against a real Prometheus that scrapes a running stack, then kills each store and
// looks into the panel that has to show it: `node scripts/try-dashboards.mjs`. It needs a build of the repository,
// `prometheus` in PATH or INFRA_TOOLS, and valkey-server or redis-server for the limits. All on 127.0.0.1, in a folder of
// its own that is removed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, startClickHouseLocal, startKafka, startPostgres } from '@jetton-analytics/embedded';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-dashboards-'));
const apps = ['gateway', 'statistics', 'metrics', 'aggregator'];
const scrapeSeconds = 2;
const deadlineMs = 180_000;
let failures = 0;

const tell = (ok, what) => {
  if (!ok) failures += 1;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}`);
};
const folders = [...(process.env.INFRA_TOOLS ?? '').split(delimiter), ...(process.env.PATH ?? '').split(delimiter)];
const toolPath = (names) =>
  folders.flatMap((one) => names.map((name) => join(one, name))).find((path) => existsSync(path));

const children = [];
function start(program, args, options, onLine = () => undefined) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  children.push(child);
  return child;
}
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGTERM');
  await Promise.race([exited, sleep(30_000).then(() => child.kill('SIGKILL'))]);
}
async function until(what, look) {
  const last = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > last) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await sleep(500);
  }
}

const folderOfDashboards = new URL('../infra/grafana/', import.meta.url);
const dashboards = readdirSync(folderOfDashboards)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, folderOfDashboards), 'utf8')));

let prometheusUrl = '';
async function query(expression) {
  const response = await fetch(`${prometheusUrl}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const answer = await response.json();
  if (answer.status !== 'success') throw new Error(`${expression}: ${JSON.stringify(answer)}`);
  return answer.data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
}

async function askSome(url) {
  const { body } = await fetch(`${url}/v1/jettons?limit=5`).then(async (answer) => ({ body: await answer.json() }));
  const addresses = (body.jettons ?? []).map(({ metadata }) => metadata.address);
  const paths = ['/v1/jettons?limit=20', '/v1/jettons/metrics?limit=5', '/v1/jettons/unknown', '/v1/jettons?limit=0'];
  for (const address of addresses) {
    paths.push(`/v1/jettons/${address}/stats`, `/v1/jettons/${address}/transactions`, `/v1/jettons/${address}/markets`);
  }
  for (const path of paths) await fetch(url + path).then((answer) => answer.text());
}

const isAway = (component, check) =>
  `min by (component, check) (health_check_up{component="${component}",check="${check}"})`;

const stores = {};
try {
  const program = toolPath(['valkey-server', 'redis-server']);
  const prometheus = toolPath(['prometheus']);
  if (program === undefined || prometheus === undefined) throw new Error('prometheus and valkey-server are needed');
  const valkeyPort = await freePort();
  const valkey = start(
    program,
    ['--port', `${valkeyPort}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {},
  );
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
  Object.assign(stores, { kafka, postgres, clickhouse });
  console.log('Kafka, PostgreSQL, ClickHouse’s engine and Valkey are running');

  const metricsUrls = {};
  let gatewayUrl;
  const stackLog = [];
  const stack = start(
    process.execPath,
    [join(root, 'apps/stack/dist/main.js'), '--data-dir', join(folder, 'data'), '--trades', '20000', '--rate', '20'],
    {
      cwd: root,
      env: {
        ...process.env,
        KAFKA_BROKERS: kafka.brokers.join(','),
        DATABASE_URL: postgres.url,
        CLICKHOUSE_URL: clickhouse.url,
        REDIS_URL: `redis://127.0.0.1:${valkeyPort}`,
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
      },
    },
    (line) => {
      stackLog.push(line);
      const { app, msg, url, metricsUrl } = /\{.*\}/.test(line) ? JSON.parse(line.slice(line.indexOf('{'))) : {};
      if (msg !== 'listening') return;
      metricsUrls[app] = metricsUrl;
      if (app === 'gateway') gatewayUrl = url;
    },
  );
  try {
    await until('all apps listen', () => apps.every((app) => metricsUrls[app] !== undefined));
    await until(
      'the gateway is ready',
      async () => (await fetch(`${gatewayUrl}/readyz`).catch(() => ({}))).ok === true,
    );
  } catch (error) {
    console.error(stackLog.slice(-40).join('\n'));
    throw error;
  }

  const rules = readFileSync(join(root, 'infra/alerts/jetton-analytics.rules.yaml'), 'utf8');
  writeFileSync(join(folder, 'rules.yaml'), rules);
  const targets = apps.map(
    (app) => `      - { targets: ['${new URL(metricsUrls[app]).host}'], labels: { component: ${app} } }`,
  );
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    [
      `global: { scrape_interval: ${scrapeSeconds}s, evaluation_interval: ${scrapeSeconds}s }`,
      `rule_files: ['${join(folder, 'rules.yaml')}']`,
      'scrape_configs:',
      '  - job_name: jetton-analytics',
      '    static_configs:',
      ...targets,
    ].join('\n'),
  );
  prometheusUrl = `http://127.0.0.1:${await freePort()}`;
  start(prometheus, [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    `--web.listen-address=${new URL(prometheusUrl).host}`,
  ]);
  await until(
    'Prometheus is ready',
    async () => (await fetch(`${prometheusUrl}/-/ready`).catch(() => ({}))).ok === true,
  );
  await until('every app is scraped', async () => (await query('up == 1')).length === apps.length);
  for (let round = 0; round < 15; round += 1) {
    await askSome(gatewayUrl);
    await sleep(scrapeSeconds * 1_000);
  }

  const empty = [];
  for (const { title, panels } of dashboards) {
    console.log(`\n${title}`);
    for (const panel of panels) {
      for (const { expr } of panel.targets) {
        const found = await query(expr);
        if (found.length === 0) empty.push({ dashboard: title, panel: panel.title, expr });
        else tell(true, `${panel.title}: ${found.length} series | ${expr}`);
      }
    }
  }

  const sizes = await fetch(clickhouse.url, {
    method: 'POST',
    body: `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, round(bytes / rows, 1) AS per_row FROM system.parts
           WHERE active AND database = 'jetton_analytics' GROUP BY table ORDER BY bytes DESC LIMIT 8 FORMAT PrettyCompactMonoBlock`,
  });
  console.log(`\nOn ClickHouse’s disk by now\n${await sizes.text()}`);
  console.log('\nEach store is killed');
  const panel = dashboards.flatMap(({ panels }) => panels).find(({ title }) => title === 'Stores as the apps see them');
  const shows = async (check, component) => {
    const [before] = await query(isAway(component, check));
    const began = performance.now();
    return {
      before: before?.value,
      async after() {
        await until(`${check} at ${component}`, async () =>
          (await query(panel.targets[0].expr)).some(
            ({ metric, value }) => metric.component === component && metric.check === check && value === 0,
          ),
        );
        return ((performance.now() - began) / 1_000).toFixed(0);
      },
    };
  };
  const kills = [
    { check: 'limits', component: 'gateway', kill: () => valkey.kill('SIGKILL') },
    { check: 'postgres', component: 'gateway', kill: () => process.kill(postgres.pid, 'SIGKILL') },
    { check: 'clickhouse', component: 'aggregator', kill: () => process.kill(clickhouse.pid, 'SIGKILL') },
    { check: 'kafka', component: 'aggregator', kill: () => process.kill(kafka.pid, 'SIGKILL') },
  ];
  for (const { check, component, kill } of kills) {
    const seen = await shows(check, component);
    kill();
    await askSome(gatewayUrl).catch(() => undefined);
    const seconds = await seen.after();
    tell(seen.before === 1, `${check} killed: “${panel.title}” shows ${component} ${check} 1 → 0 after ${seconds} s`);
    const pending = await until('the alert', async () => {
      const found = await query(
        `ALERTS{alertname="JettonAnalyticsStoreAway",check="${check}",component="${component}"}`,
      );
      return found.length > 0 ? found : undefined;
    });
    tell(pending.length > 0, `       JettonAnalyticsStoreAway for ${check} is ${pending[0].metric.alertstate}`);
  }
  const answer = await fetch(`${gatewayUrl}/v1/jettons?limit=5`);
  tell(
    answer.status === 200,
    `with every store killed a list is still answered: ${answer.status}, X-Data-Lag ${answer.headers.get('x-data-lag')} s`,
  );

  if (empty.length > 0) console.log('\nQueries that had no data while all was well');
  for (const { dashboard, panel: name, expr } of empty) {
    const found = await query(expr);
    tell(found.length > 0, `${dashboard} › ${name}: ${found.length} series after the stores were killed | ${expr}`);
  }
  await end(stack);
} finally {
  for (const child of children.toReversed()) await end(child);
  for (const store of Object.values(stores)) await store.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? '\nall as it should be' : `\n${failures} FAILED`);
process.exit(failures === 0 ? 0 : 1);
