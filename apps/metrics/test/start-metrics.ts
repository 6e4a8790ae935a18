import { createHttpApp, type HttpApp, loadSettings } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { AppModule } from '../src/app.module.js';
import { Env } from '../src/env.js';

export interface RunningMetrics {
  readonly url: string;
  readonly app: HttpApp;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

/** The app on a free port; ready unless `isReady` is false. */
export async function startMetrics(
  settings: Readonly<Record<string, string>>,
  { isReady = true }: { isReady?: boolean } = {},
): Promise<RunningMetrics> {
  const loaded = loadSettings(Env, {
    LOG_LEVEL: 'silent',
    PORT: '0',
    FOLLOW_INTERVAL_MS: '50',
    FOLLOW_INPUTS_INTERVAL_MS: '50',
    PUBLIC_URL: 'https://jettons.example',
    CURSOR_SECRET: 'signs the cursors of this spec only, nothing else',
    ...settings,
  });
  const app = await createHttpApp(AppModule, { name: 'metrics', settings: loaded });
  const { url } = await app.listen();
  if (isReady) {
    await pollUntil(async () => (await fetch(`${url}/readyz`)).status === 200, {
      what: 'readiness',
      timeoutMs: 30_000,
    });
  }
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
