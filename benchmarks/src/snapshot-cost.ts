interface Sample {
  readonly ms: number;
  readonly cpu: number;
}

interface Published {
  readonly step: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the snapshots of one step cost beyond what the same processes do while none is taken. */
export interface Cost {
  readonly snapshots: number;
  /** CPU seconds of each, undefined where there was none. */
  readonly cpuEach: number | undefined;
  /** CPU seconds per second while no snapshot of any step is taken. */
  readonly restCores: number;
}

/**
 * Tells the CPU of snapshots apart from all else that two processes do: the aggregator logs (LOG_LEVEL=debug) when each was
 * published and how long it took, and CPU is sampled all the while.
 */
export class SnapshotCost {
  readonly #samples: Sample[] = [];
  readonly #published: Published[] = [];

  readonly see = (line: string): void => {
    if (!line.includes('"snapshot published"')) return;
    const { step, tookMs } = JSON.parse(line) as { step: string; tookMs: number };
    const toMs = performance.now();
    this.#published.push({ step, fromMs: toMs - tookMs, toMs });
  };

  sample(cpu: number): void {
    this.#samples.push({ ms: performance.now(), cpu });
  }

  /** Of what was published while it was sampled. */
  of(step: string): Cost {
    const [first, last] = [this.#samples.at(0), this.#samples.at(-1)];
    if (first === undefined || last === undefined) throw new RangeError('sample comes before');
    const taken = this.#published.filter(({ fromMs, toMs }) => fromMs >= first.ms && toMs <= last.ms);
    const own = taken.filter((one) => one.step === step);
    // One step is followed and the others are taken once an hour: their times hardly overlap.
    const busyMs = taken.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const busyCpu = taken.reduce((sum, { fromMs, toMs }) => sum + this.#cpuAt(toMs) - this.#cpuAt(fromMs), 0);
    const restCores = ((last.cpu - first.cpu - busyCpu) / (last.ms - first.ms - busyMs)) * 1_000;
    const cpu = own.reduce(
      (sum, { fromMs, toMs }) => sum + this.#cpuAt(toMs) - this.#cpuAt(fromMs) - (restCores * (toMs - fromMs)) / 1_000,
      0,
    );
    return { snapshots: own.length, cpuEach: own.length === 0 ? undefined : cpu / own.length, restCores };
  }

  #cpuAt(ms: number): number {
    const after = this.#samples.findIndex((one) => one.ms >= ms);
    const [before, next] = [this.#samples[after - 1], this.#samples[after]];
    if (next === undefined) return this.#samples.at(-1)?.cpu ?? 0;
    if (before === undefined) return next.cpu;
    return before.cpu + ((ms - before.ms) / (next.ms - before.ms)) * (next.cpu - before.cpu);
  }
}
