import { join } from 'node:path';
import { answersHttp, preferPort, requireFreePort, spawnNodeApp } from '@jetton-analytics/embedded';
import type { AppName, AppPorts } from './environment.js';
import type { PrepareContext } from './prepare.js';

const preferredPorts: AppPorts = { gateway: 3000, statistics: 3001, metrics: 3002, aggregator: 3003 };
const readyTimeoutMs = 120_000;

export const localUrl = (port: number) => `http://127.0.0.1:${port}`;

/** Ports of the apps. Throws a LaunchError when the one asked for the API is taken. */
export async function choosePorts(apiPort: number | undefined): Promise<AppPorts> {
  if (apiPort !== undefined) await requireFreePort(apiPort, 'the API');
  const gateway = apiPort ?? (await preferPort(preferredPorts.gateway));
  const taken = new Set([gateway]);
  const choose = async (wanted: number): Promise<number> => {
    const port = taken.has(wanted) ? await preferPort(0) : await preferPort(wanted);
    taken.add(port);
    return port;
  };
  const statistics = await choose(preferredPorts.statistics);
  const metrics = await choose(preferredPorts.metrics);
  const aggregator = await choose(preferredPorts.aggregator);
  return { gateway, statistics, metrics, aggregator };
}

/** Starts one app on its port of `ports` and waits until it is ready. Throws a LaunchError. */
export async function startApp(
  { root, folder, supervisor, output }: PrepareContext,
  name: AppName,
  rank: number,
  ports: AppPorts,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const url = localUrl(ports[name]);
  await supervisor.keep(rank, () =>
    spawnNodeApp({
      name,
      script: join(root, 'apps', name, 'dist', 'main.js'),
      env: { ...env, PORT: String(ports[name]) },
      output: { onLine: (line) => output.line(name, line) },
      registry: folder.registry,
      readyWhen: () => answersHttp(`${url}/readyz`),
      readyTimeoutMs,
    }),
  );
  output.step(`${name}: ready on ${url}`);
}
