// The stores and the apps behind the commands: real processes on 127.0.0.1 that do what the Deployments of a control plane say.
// An app of no replica is stopped, one that is restarted is started anew; its log lies in the form of a container runtime's.
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, spawnNodeApp, startClickHouseLocal, startKafka, startPostgres } from '@jetton-analytics/embedded';

export const apps = ['aggregator', 'statistics', 'metrics', 'gateway'];
const readyTimeoutMs = 240_000;

export async function startStack({ root, folder, sql }) {
  const ports = {};
  for (const app of apps) ports[app] = await freePort();
  const kafka = await startKafka({
    dataDir: join(folder, 'kafka'),
    cacheDir: join(root, '.cache'),
    port: await freePort(),
  });
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port: await freePort() });
  const clickhouse = await startClickHouseLocal({
    repositoryRoot: root,
    dataDir: join(folder, 'clickhouse'),
    port: await freePort(),
    env: process.env,
    output: { file: join(folder, 'engine.log') },
  });
  const urls = await sql(postgres.url);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HOST: '127.0.0.1',
    RATE_LIMITS: 'off',
    KAFKA_BROKERS: kafka.brokers.join(','),
    CLICKHOUSE_URL: clickhouse.url,
    DATABASE_URL: urls.app,
    CURSOR_SECRET: 'signs the cursors of this trial only',
    STATISTICS_URL: `http://127.0.0.1:${ports.statistics}`,
    METRICS_URL: `http://127.0.0.1:${ports.metrics}`,
    PUBLIC_URL: 'https://jettons.example.com',
  };
  const logOf = (name) => join(folder, `${name}.log`);
  const log = (name, line) => appendFileSync(logOf(name), `${new Date().toISOString()} stdout F ${line}\n`);

  /** A program to its end; its output is also the log of the container `name`. */
  function program(app, file, args = [], { more = {}, name = app } = {}) {
    const done = spawnSync(process.execPath, [join(root, 'apps', app, 'dist', file), ...args], {
      encoding: 'utf8',
      env: { ...env, ...more },
    });
    const text = `${done.stdout}${done.stderr}`;
    for (const line of text.trim().split('\n')) log(name, line);
    if (done.status !== 0) throw new Error(`${app} ${file} ${args.join(' ')}: ${text.slice(-2_000)}`);
    return done.stdout;
  }

  const running = {};
  async function start(app) {
    running[app] = await spawnNodeApp({
      name: app,
      script: join(root, 'apps', app, 'dist/main.js'),
      env: { ...env, PORT: String(ports[app]), METRICS_PORT: '0' },
      output: { onLine: (line) => log(app, line) },
      readyWhen: async () => (await fetch(`http://127.0.0.1:${ports[app]}/livez`).catch(() => ({}))).ok === true,
      readyTimeoutMs,
    });
  }
  async function end(app, how) {
    const child = running[app];
    delete running[app];
    await how(child);
    if (existsSync(logOf(app))) copyFileSync(logOf(app), logOf(`${app}.previous`));
    writeFileSync(logOf(app), '');
  }
  const stopApp = (app) => end(app, (child) => child.stop());
  const killApp = (app) =>
    end(app, async (child) => {
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    });

  const last = {};
  /** Until `isOver`, processes follow the Deployments that `read` tells of: `{ app: { replicas, restartedAt } }`. */
  async function follow(read, isOver) {
    while (!isOver()) {
      for (const [app, { replicas, restartedAt }] of Object.entries(await read())) {
        const isRestarted = last[app] !== undefined && restartedAt !== undefined && last[app] !== restartedAt;
        last[app] = restartedAt ?? 'never';
        if (running[app] !== undefined && (replicas === 0 || isRestarted)) await stopApp(app);
        if (running[app] === undefined && replicas > 0) await start(app);
      }
      await sleep(500);
    }
  }
  /** Whether the processes are what `told`, as `read` gives it, says. */
  const hasFollowed = (told) =>
    Object.entries(told).every(([app, { replicas, restartedAt }]) =>
      replicas === 0
        ? running[app] === undefined
        : running[app] !== undefined && last[app] === (restartedAt ?? 'never'),
    );
  async function stop() {
    for (const app of Object.keys(running)) await running[app].stop();
    for (const store of [clickhouse, postgres, kafka]) await store.stop();
  }
  return { env, ports, urls, logOf, program, start, killApp, follow, hasFollowed, stop };
}
