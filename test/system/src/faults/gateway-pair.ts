import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@jetton-analytics/testing';
import { AppProcess, type Environment } from '../support/app-process.js';

const drainMs = 1_500;
const probeMs = 200;
const lookMs = 5_000;
// Kubernetes' own.
const failuresMax = 3;
const askers = 4;
const answerMs = 10_000;
const examplesMax = 10;

export interface PairTally {
  terminations: number;
  slowestTerminationMs: number;
  /** Gateways that did not end by themselves in time, with code 0. */
  readonly badTerminations: string[];
  answered: number;
  failed: number;
  readonly examples: string[];
}

/**
 * Two gateways behind somebody who, as a service of Kubernetes does, sends requests to those whose readiness was well at
 * the last looks, and tries none a second time.
 */
export class GatewayPair {
  readonly tally: PairTally = {
    terminations: 0,
    slowestTerminationMs: 0,
    badTerminations: [],
    answered: 0,
    failed: 0,
    examples: [],
  };
  readonly #root: string;
  readonly #env: Environment;
  readonly #path: string;
  readonly #gateways: AppProcess[] = [];
  readonly #ready = new Set<AppProcess>();
  /** Sent SIGTERM: whoever is not ready then is not coming back. */
  readonly #ending = new WeakSet<AppProcess>();
  readonly #loops: Promise<void>[] = [];
  #isOver = false;

  constructor(root: string, env: Environment, path: string) {
    this.#root = root;
    this.#env = { ...env, SHUTDOWN_DRAIN_MS: String(drainMs) };
    this.#path = path;
  }

  /** Starts both and begins to ask. */
  async start(): Promise<void> {
    for (const index of [0, 1]) await this.#startOne(index);
    await pollUntil(async () => (await this.#ask(this.#gateways[0])) === undefined, {
      what: `an answer to ${this.#path}`,
      timeoutMs: 90_000,
    });
    this.#loops.push(this.#probe(0), this.#probe(1), ...Array.from({ length: askers }, () => this.#askOn()));
  }

  async #startOne(index: number): Promise<void> {
    const gateway = await AppProcess.start('gateway', this.#env, '/readyz', { root: this.#root });
    this.#gateways[index] = gateway;
    this.#ready.add(gateway);
  }

  /** SIGTERM to one of them while all is asked on, its end, and another in its place. */
  async replace(index: number): Promise<void> {
    const gateway = this.#gateways[index];
    if (gateway === undefined) return;
    const startedMs = performance.now();
    this.#ending.add(gateway);
    const { code, signal } = await gateway.terminate();
    const tookMs = performance.now() - startedMs;
    this.#ready.delete(gateway);
    this.tally.terminations += 1;
    this.tally.slowestTerminationMs = Math.max(this.tally.slowestTerminationMs, tookMs);
    if (code !== 0) this.tally.badTerminations.push(`code ${code}, signal ${signal}`);
    await this.#startOne(index);
  }

  /** One look after another; several that fail in a row send no more requests there, until one is well again. */
  async #probe(index: number): Promise<void> {
    let failures = 0;
    let former: AppProcess | undefined;
    while (!this.#isOver) {
      const gateway = this.#gateways[index];
      if (gateway !== undefined) {
        if (gateway !== former) failures = 0;
        former = gateway;
        failures = (await isReady(gateway)) ? 0 : failures + 1;
        const isEnding = this.#ending.has(gateway);
        if (failures >= (isEnding ? 1 : failuresMax)) this.#ready.delete(gateway);
        else if (failures === 0 && !isEnding) this.#ready.add(gateway);
      }
      await sleep(probeMs);
    }
  }

  async #askOn(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const ready = [...this.#ready];
      const failure = await this.#ask(ready[turn % ready.length]);
      if (failure === undefined) this.tally.answered += 1;
      else {
        this.tally.failed += 1;
        if (this.tally.examples.length < examplesMax) this.tally.examples.push(failure);
      }
      await sleep(5);
    }
  }

  /** Undefined where it is well; otherwise what is wrong. */
  async #ask(gateway: AppProcess | undefined): Promise<string | undefined> {
    if (gateway === undefined) return 'no gateway is ready';
    try {
      const response = await fetch(gateway.url + this.#path, { signal: AbortSignal.timeout(answerMs) });
      const body = await response.text();
      return response.status === 200 ? undefined : `${response.status} ${body.slice(0, 200)}`;
    } catch (error) {
      return `${String(error)} ${error instanceof Error ? String(error.cause) : ''}`;
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    await Promise.all(this.#gateways.map((gateway) => gateway.stop()));
  }
}

async function isReady(gateway: AppProcess): Promise<boolean> {
  try {
    return (await fetch(`${gateway.url}/readyz`, { signal: AbortSignal.timeout(lookMs) })).ok;
  } catch {
    return false;
  }
}
