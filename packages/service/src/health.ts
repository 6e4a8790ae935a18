/** State of one check: `detail` is for the operator and may hold numbers, never a secret. */
export interface CheckResult {
  readonly ok: boolean;
  readonly detail?: string;
  /** How old what the process goes on with is, where it follows a store. */
  readonly ageSeconds?: number;
}
export type Check = () => CheckResult | Promise<CheckResult>;

export interface HealthReport {
  readonly ok: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

const checkTimeoutMs = 2_000;

/**
 * What `/livez` and `/readyz` tell. Liveness asks whether this process still makes progress and must never look at a
 * store: a store that is away is no reason to restart us. Readiness asks whether requests can be answered now.
 */
export class Health {
  readonly #live = new Map<string, Check>();
  readonly #ready = new Map<string, Check>();
  readonly #shownOnly = new Set<string>();
  #stopping = false;

  addLiveness(name: string, check: Check): void {
    this.#live.set(name, check);
  }

  /** `decides` false: the state is shown but the process is ready whatever it is. */
  addReadiness(name: string, check: Check, { decides = true }: { decides?: boolean } = {}): void {
    this.#ready.set(name, check);
    if (!decides) this.#shownOnly.add(name);
  }

  /** From now on not ready, whatever the checks say. */
  stop(): void {
    this.#stopping = true;
  }

  live(): Promise<HealthReport> {
    return report(this.#live, new Set());
  }

  async ready(): Promise<HealthReport> {
    const { ok, checks } = await report(this.#ready, this.#shownOnly);
    if (!this.#stopping) return { ok, checks };
    return { ok: false, checks: { ...checks, shutdown: { ok: false, detail: 'stopping' } } };
  }
}

async function report(checks: ReadonlyMap<string, Check>, shownOnly: ReadonlySet<string>): Promise<HealthReport> {
  const results = await Promise.all([...checks].map(async ([name, check]) => [name, await settle(check)] as const));
  return { ok: results.every(([name, { ok }]) => ok || shownOnly.has(name)), checks: Object.fromEntries(results) };
}

async function settle(check: Check): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, detail: `no answer within ${checkTimeoutMs} ms` }), checkTimeoutMs);
  });
  try {
    return await Promise.race([check(), deadline]);
  } catch (error) {
    // The class and not the message: a driver's message may name hosts, and this body is public at the gateway.
    return { ok: false, detail: error instanceof Error ? error.name : 'failed' };
  } finally {
    clearTimeout(timer);
  }
}
