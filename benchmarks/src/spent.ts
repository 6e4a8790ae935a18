import { cpuSeconds, spread } from './figures.js';
import { saturate, type Target } from './read-load.js';

export const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);

/** CPU of one kind of request, slice by slice. */
export class Spent {
  /** Microseconds of CPU per request, of each slice. */
  readonly microseconds: number[] = [];
  requests = 0;
  wallMs = 0;

  constructor(
    readonly target: Target,
    readonly status: number,
    readonly pids: readonly number[],
  ) {}

  /** `idleShare`: CPU seconds per second that the processes use while nobody asks. */
  async slice(ms: number, idleShare: number): Promise<void> {
    const before = cpuOf(this.pids);
    const began = performance.now();
    const answered = await saturate(this.target, this.status, ms);
    const wallMs = performance.now() - began;
    this.microseconds.push(((cpuOf(this.pids) - before - (idleShare * wallMs) / 1_000) / answered) * 1e6);
    this.requests += answered;
    this.wallMs += wallMs;
  }

  get perSecond(): number {
    return (this.requests / this.wallMs) * 1_000;
  }

  /** Ratios to another kind, slice by slice: least, median, greatest. */
  over(other: Spent, digits = 1): string {
    return spread(
      this.microseconds.map((own, index) => own / (other.microseconds[index] ?? Number.NaN)),
      digits,
    );
  }
}
