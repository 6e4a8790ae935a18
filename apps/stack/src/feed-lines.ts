import { z } from 'zod';
import type { Output } from './output.js';

const FeedProgress = z.object({
  phase: z.enum(['backfill', 'gap', 'live', 'replay']),
  sent: z.int(),
  total: z.int().optional(),
});

const shownEveryMs = 2_000;
const phases = { backfill: 'history', gap: 'the time it stood still', replay: 'replay' } as const;

/** Follows what the feed's program says: `progress {…}` and `done {…}` lines, and sentences, which are shown as they are. */
export class FeedLines {
  #shownAtMs = -Infinity;
  #isThrough = false;
  readonly #begun = Promise.withResolvers<void>();

  constructor(
    private readonly name: string,
    private readonly output: Output,
  ) {}

  /** Whether everything there was to send at the start has been sent: now it is live, or done. */
  get isThrough(): boolean {
    return this.#isThrough;
  }

  /** Resolves when the first trades have been sent, or when there is nothing to send at the start. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  read(line: string): void {
    const [, word = '', rest = ''] = /^(progress|done) (\{.*\})$/.exec(line) ?? [];
    if (word === '') this.output.line(this.name, line);
    else if (word === 'done') this.#done(rest);
    else this.#progress(FeedProgress.parse(JSON.parse(rest)));
  }

  #done(counts: string): void {
    this.#isThrough = true;
    this.#begun.resolve();
    const words = Object.entries(z.record(z.string(), z.number()).parse(JSON.parse(counts)));
    this.output.step(
      `${this.name}: ${words.map(([what, count]) => `${count.toLocaleString('en-US')} ${what}`).join(', ')}`,
    );
  }

  #progress({ phase, sent, total }: z.infer<typeof FeedProgress>): void {
    if (phase === 'live' || sent > 0) this.#begun.resolve();
    if (phase === 'live') {
      this.#isThrough = true;
      return;
    }
    const isLast = sent === total;
    if (!isLast && performance.now() - this.#shownAtMs < shownEveryMs) return;
    this.#shownAtMs = performance.now();
    const of = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`;
    this.output.step(`${this.name}: ${phases[phase]}, ${sent.toLocaleString('en-US')}${of} trades sent`);
  }
}
