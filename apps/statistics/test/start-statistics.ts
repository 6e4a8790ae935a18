import { createHttpApp, type HttpApp, loadSettings } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { AppModule } from '../src/app.module.js';
import { Env } from '../src/env.js';

export interface RunningStatistics {
  readonly url: string;
  readonly app: HttpApp;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

/** The app on a free port, ready. */
export async function startStatistics(settings: Readonly<Record<string, string>>): Promise<RunningStatistics> {
  const loaded = loadSettings(Env, {
    LOG_LEVEL: 'silent',
    PORT: '0',
    FOLLOW_INTERVAL_MS: '50',
    FOLLOW_INPUTS_INTERVAL_MS: '50',
    CURSOR_SECRET: 'signs the cursors of this spec only, nothing else',
    ...settings,
  });
  const app = await createHttpApp(AppModule, { name: 'statistics', settings: loaded });
  const { url } = await app.listen();
  await pollUntil(async () => (await fetch(`${url}/readyz`)).status === 200, { what: 'readiness', timeoutMs: 30_000 });
  return {
    url,
    app,
    get: (path, headers = {}) => fetch(url + path, { headers }),
    post: (path, body) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
