import type { Step } from '@jetton-analytics/figures';

/** Jettons whose texts of a step can be read already, while other tables are still on their way. */
export class StepBacklog {
  readonly #steps: { readonly step: Step; readonly jettons: Iterator<string> }[] = [];

  add(step: Step, jettons: Iterable<string>): void {
    this.#steps.push({ step, jettons: jettons[Symbol.iterator]() });
  }

  /** Takes the next one out. */
  take(): { readonly step: Step; readonly address: string } | undefined {
    for (;;) {
      const [first] = this.#steps;
      if (first === undefined) return undefined;
      const { done, value } = first.jettons.next();
      if (done !== true) return { step: first.step, address: value };
      this.#steps.shift();
    }
  }
}
