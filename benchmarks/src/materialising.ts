import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 100;
const deadlineMs = 900_000;
/** The leader looks for closed hours and days every ten seconds: none written for so long, and there are none left. */
const quietMs = 40_000;

/**
 * Follows what an aggregator logs (LOG_LEVEL=debug) until it has taken a first snapshot of each step and has made the hours
 * and days of its whole ledger, which it does once, right after those.
 */
export class Materialising {
  #lastMs = performance.now();
  readonly #taken = new Set<string>();

  readonly see = (line: string): void => {
    const [, step] = /"step":"(\w+)".*"snapshot published"/.exec(line) ?? [];
    const isNew = step !== undefined && !this.#taken.has(step);
    if (isNew) this.#taken.add(step);
    if (isNew || line.includes('closed hours and days written')) this.#lastMs = performance.now();
  };

  /** Throws an Error after a quarter of an hour. */
  async done(): Promise<void> {
    const until = performance.now() + deadlineMs;
    while (this.#taken.size < 3 || performance.now() - this.#lastMs < quietMs) {
      if (performance.now() > until) throw new Error(`no quiet aggregator after ${deadlineMs} ms`);
      await pause(pollMs);
    }
  }
}
