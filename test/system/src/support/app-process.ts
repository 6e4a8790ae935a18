import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answersHttp, freePort, spawnNodeApp, type ManagedProcess } from '@jetton-analytics/embedded';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const linesMax = 60;

export type Environment = Record<string, string>;

const script = (root: string, app: string, file: string) => join(root, 'apps', app, 'dist', file);
const inherited = ({ PATH, HOME, TMPDIR }: NodeJS.ProcessEnv): Environment =>
  Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined)) as Environment;

/** A running app with the last lines it wrote. */
export class AppProcess {
  readonly name: string;
  readonly url: string;
  readonly #child: ManagedProcess;
  readonly #lines: readonly string[];
  #stopped = false;

  private constructor(name: string, url: string, child: ManagedProcess, lines: readonly string[]) {
    this.name = name;
    this.url = url;
    this.#child = child;
    this.#lines = lines;
  }

  /**
   * Starts apps/<app>/dist/main.js of the build at `root` on a free port and waits until `probe` is answered. Throws with
   * its last lines.
   */
  static async start(
    app: string,
    env: Environment,
    probe: '/readyz' | '/livez',
    { root = checkout, onLine }: { readonly root?: string; readonly onLine?: (line: string) => void } = {},
  ): Promise<AppProcess> {
    const url = `http://127.0.0.1:${await freePort()}`;
    const lines: string[] = [];
    const child = await spawnNodeApp({
      name: app,
      script: script(root, app, 'main.js'),
      env: { ...inherited(process.env), LOG_LEVEL: 'info', ...env, PORT: new URL(url).port, METRICS_PORT: '0' },
      output: {
        onLine: (line) => {
          lines.push(line);
          onLine?.(line);
          if (lines.length > linesMax) lines.shift();
        },
      },
      readyWhen: () => answersHttp(url + probe),
      readyTimeoutMs: 90_000,
    });
    return new AppProcess(app, url, child, lines);
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#child.stop();
  }

  /** SIGTERM, and how it ended; after a minute it is killed. */
  async terminate(): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    this.#stopped = true;
    process.kill(this.#child.pid, 'SIGTERM');
    const timer = setTimeout(() => process.kill(this.#child.pid, 'SIGKILL'), 60_000);
    const end = await this.#child.exited;
    clearTimeout(timer);
    return end;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Holds it still, so that it is there but answers nothing, until `goOn`. */
  freeze(): void {
    process.kill(this.#child.pid, 'SIGSTOP');
  }

  goOn(): void {
    process.kill(this.#child.pid, 'SIGCONT');
  }

  /** Ends it without a chance to tidy up. */
  async kill(): Promise<void> {
    this.#stopped = true;
    process.kill(this.#child.pid, 'SIGKILL');
    await this.#child.exited;
  }

  /** What it said last, to print when a test fails. */
  tail(): string {
    return [`--- ${this.name} (pid ${this.#child.pid})`, ...this.#lines].join('\n');
  }
}

/** Runs apps/<app>/dist/<file>, a program that ends by itself, to its output. Throws with its last lines when it fails. */
export async function runProgram(
  app: string,
  file: string,
  env: Environment,
  args: readonly string[] = [],
  root = checkout,
): Promise<string> {
  const lines: string[] = [];
  const child = await spawnNodeApp({
    name: `${app}/${file}`,
    script: script(root, app, file),
    args,
    env: { ...inherited(process.env), ...env },
    output: { onLine: (line) => void lines.push(line) },
  });
  const { code } = await child.exited;
  if (code !== 0) throw new Error([`${app}/${file} ended with ${code}`, ...lines.slice(-linesMax)].join('\n'));
  return lines.join('\n');
}
