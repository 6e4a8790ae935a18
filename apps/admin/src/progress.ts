import type { Session } from './session.js';

const periodMs = 1_000;
const barChars = 24;

/** How far a long command is, on standard error: a bar that is drawn again on a terminal, elsewhere a line now and then. */
export class Progress {
  #lastMs = -Infinity;
  #isDrawn = false;

  constructor(
    private readonly session: Pick<Session, 'isJson' | 'notify' | 'isTerminal'>,
    private readonly what: string,
  ) {}

  /** Not more often than once a second; the last step always. */
  step(done: number, of: number): void {
    const { session, what } = this;
    const nowMs = performance.now();
    if (session.isJson || (done < of && nowMs - this.#lastMs < periodMs)) return;
    this.#lastMs = nowMs;
    const share = of === 0 ? 1 : Math.min(1, done / of);
    const filled = Math.round(share * barChars);
    const bar = `[${'#'.repeat(filled)}${'-'.repeat(barChars - filled)}] ${Math.floor(share * 100)} %`;
    const line = `${what} ${bar}`;
    session.notify(session.isTerminal ? `${this.#isDrawn ? '\r' : ''}${line}` : `${line}\n`);
    this.#isDrawn = true;
  }

  /** To be called before anything else is printed. */
  end(): void {
    if (this.#isDrawn && this.session.isTerminal && !this.session.isJson) this.session.notify('\n');
    this.#isDrawn = false;
  }
}
