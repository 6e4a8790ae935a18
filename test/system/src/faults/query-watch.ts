import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@jetton-analytics/testing';
import { AppProcess, type Environment } from '../support/app-process.js';
import { feedJettons } from './fault-feed.js';
import type { QueryAppName } from './fault-options.js';

const [jetton = ''] = feedJettons;
/** Of each app, what needs no key: from memory, and a list, whose order is kept in a store. */
const paths: Readonly<Record<QueryAppName, readonly string[]>> = {
  statistics: [`/v1/jettons/${jetton}/stats`],
  metrics: [`/v1/jettons/${jetton}/metrics`, '/v1/jettons?limit=3'],
};
const pauseMs = 200;
const answerMs = 10_000;
const examplesMax = 20;

/** Of a gateway or query app beside aggregators with `env`. */
export const queryEnv = (env: Environment): Environment => ({
  ...env,
  CURSOR_SECRET: 'signs the cursors of this run only',
  RATE_LIMITS: 'off',
  STACK_SUPERVISED: '1',
  LOG_LEVEL: 'warn',
});

/** How somebody fared who asked all the time. */
export interface WatchTally {
  answered: number;
  /** Answers with 200 and their age, by what was the matter when they were asked for. */
  readonly answeredDuring: Map<string, number>;
  /** Anything but 200 with its age, some of them in words. */
  failed: number;
  readonly examples: string[];
  slowestMs: number;
  /** The greatest that an answer told, seconds. */
  greatestLagSeconds: number;
}

/** A gateway and query apps over the relays, and a client that asks them one thing after the other, without an end. */
export class QueryWatch {
  readonly tally: WatchTally = {
    answered: 0,
    answeredDuring: new Map(),
    failed: 0,
    examples: [],
    slowestMs: 0,
    greatestLagSeconds: 0,
  };
  readonly #apps: readonly AppProcess[];
  readonly #url: string;
  readonly #asked: readonly string[];
  readonly #asOf = new Map<string, string>();
  #asking: Promise<void> = Promise.resolve();
  #isOver = false;

  private constructor(apps: readonly AppProcess[], url: string, asked: readonly string[]) {
    this.#apps = apps;
    this.#url = url;
    this.#asked = asked;
  }

  /** Starts the apps of the build at `root`; nothing is asked yet. */
  static async start(root: string, env: Environment, names: readonly QueryAppName[]): Promise<QueryWatch> {
    const own = queryEnv(env);
    const apps: AppProcess[] = [];
    const start = async (name: string, more: Environment = {}) => {
      const app = await AppProcess.start(name, { ...own, ...more }, '/livez', { root });
      apps.push(app);
      return app;
    };
    const urls: Environment = {};
    for (const name of names) urls[`${name.toUpperCase()}_URL`] = (await start(name)).url;
    const gateway = await start('gateway', urls);
    return new QueryWatch(
      apps,
      gateway.url,
      names.flatMap((name) => paths[name]),
    );
  }

  /** Waits until everything is answered once, then asks on until its end. `matter`: what is wrong just now. */
  async begin(matter: () => string): Promise<void> {
    const isKnown = async (path: string) => (await this.#get(path)) === undefined;
    await pollUntil(async () => (await Promise.all(this.#asked.map(isKnown))).every(Boolean), {
      what: `an answer to each of ${this.#asked.join(', ')}`,
      timeoutMs: 90_000,
    });
    this.#asking = this.#askOn(matter);
  }

  async #askOn(matter: () => string): Promise<void> {
    const startedMs = performance.now();
    for (let turn = 0; !this.#isOver; turn += 1) {
      const path = this.#asked[turn % this.#asked.length] ?? '';
      const [during, askedMs] = [matter(), performance.now()];
      const failure = await this.#get(path);
      const tookMs = performance.now() - askedMs;
      const { tally } = this;
      tally.slowestMs = Math.max(tally.slowestMs, tookMs);
      if (failure === undefined) {
        tally.answered += 1;
        tally.answeredDuring.set(during, (tally.answeredDuring.get(during) ?? 0) + 1);
      } else {
        tally.failed += 1;
        const atSeconds = Math.round((askedMs - startedMs) / 1_000);
        const text = `${atSeconds} s, during ${during}: ${path} after ${Math.round(tookMs)} ms: ${failure}`;
        if (tally.examples.length < examplesMax) tally.examples.push(text);
      }
      await sleep(pauseMs);
    }
  }

  /** Undefined where it is well; otherwise what is wrong. */
  async #get(path: string): Promise<string | undefined> {
    try {
      const response = await fetch(this.#url + path, { signal: AbortSignal.timeout(answerMs) });
      const body = await response.text();
      if (response.status !== 200) return `${response.status} ${body.slice(0, 300)}`;
      const asOf = response.headers.get('x-data-as-of');
      const lag = response.headers.get('x-data-lag');
      if (asOf === null || lag === null) return `no age in the headers`;
      const before = this.#asOf.get(path) ?? '';
      if (asOf < before) return `as of ${asOf} after ${before}`;
      this.#asOf.set(path, asOf);
      this.tally.greatestLagSeconds = Math.max(this.tally.greatestLagSeconds, Number(lag));
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  /** What the apps said last, to print when a run fails. */
  tail(): string {
    return this.#apps.map((app) => app.tail()).join('\n');
  }

  /** Asks no more. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#asking;
  }

  async close(): Promise<void> {
    await this.end();
    for (const app of this.#apps.toReversed()) await app.stop();
  }
}
