import {
  createDataSource,
  findKey,
  type KeyAccess,
  keysChangedAfter,
  newestKeyChange,
  noteKeyUses,
  plansChangedAfter,
  publicPlan,
} from '@jetton-analytics/postgres';
import { type CheckResult, DomainError, type Logger, pause } from '@jetton-analytics/service';
import type { KeyCache } from './key-cache.js';
import { Policy } from './policy.js';

export interface AccessFollowerOptions {
  readonly databaseUrl: string;
  readonly intervalMs: number;
  readonly cache: KeyCache;
  readonly logger: Logger;
}

const statementTimeoutMs = 2_000;
const connectionsMax = 4;
const changesMax = 1_000;
const lookupsMax = 64;
const lookupTriesMax = 3;
const away = () =>
  new DomainError('unavailable', 'keys cannot be checked just now, try again', { retryAfterSeconds: 2 });

/**
 * Keeps plans and the cached keys as Postgres has them, by their change numbers, and looks for keys not seen before. While
 * Postgres is away what is known stays, and unknown keys are `unavailable`.
 */
export class AccessFollower {
  readonly #plans = new Map<string, Policy>([[publicPlan.name, new Policy(publicPlan)]]);
  readonly #lookups = new Map<string, Promise<KeyAccess | null>>();
  readonly #stop = new AbortController();
  #database: ReturnType<typeof createDataSource> | undefined;
  #keyPosition: string | undefined;
  #planPosition = '0';
  #isAway: boolean | undefined;
  #followedAtMs = performance.now();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: AccessFollowerOptions) {}

  /** Resolves after the first look, successful or not. */
  async start(): Promise<void> {
    await this.#look();
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#database?.destroy();
  }

  /** With how long ago keys and plans were last as Postgres had them; since the start where they never were. */
  get readiness(): CheckResult {
    const ageSeconds = Math.round(performance.now() - this.#followedAtMs) / 1_000;
    return {
      ...(this.#isAway === false ? { ok: true, detail: 'followed' } : { ok: false, detail: 'away' }),
      ageSeconds,
    };
  }

  get publicPolicy(): Policy {
    return this.policy(publicPlan.name);
  }

  /** Throws DomainError (unavailable) for a plan that has not been read yet. */
  policy(plan: string): Policy {
    const policy = this.#plans.get(plan);
    if (policy === undefined) throw away();
    return policy;
  }

  /** Looks for a key in Postgres; null where there is none. Rejects with DomainError (unavailable). */
  lookUp(name: string, hash: Buffer): Promise<KeyAccess | null> {
    const pending = this.#lookups.get(name);
    if (pending !== undefined) return pending;
    if (this.#isAway !== false || this.#lookups.size >= lookupsMax) return Promise.reject(away());
    const lookup = this.#lookUp(hash).finally(() => this.#lookups.delete(name));
    this.#lookups.set(name, lookup);
    return lookup;
  }

  /** Writes when keys were used last. Rejects when Postgres is away. */
  async noteUses(uses: ReadonlyMap<string, number>): Promise<void> {
    if (this.#database === undefined) throw away();
    await noteKeyUses(this.#database.manager, uses);
  }

  async #lookUp(hash: Buffer): Promise<KeyAccess | null> {
    try {
      for (let tries = 0; tries < lookupTriesMax; tries += 1) {
        const position = this.#keyPosition;
        if (this.#database === undefined) break;
        const access = await findKey(this.#database.manager, hash);
        // A change that was followed meanwhile may be of this key, and newer than what was read.
        if (position === this.#keyPosition) return access;
      }
    } catch (cause) {
      this.options.logger.warn({ err: cause }, 'a key could not be looked up');
    }
    throw away();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await pause(this.options.intervalMs, signal);
      } catch {
        return;
      }
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { logger } = this.options;
    try {
      await this.#follow();
      if (this.#isAway !== false) logger.info('keys and plans are followed');
      this.#isAway = false;
      this.#followedAtMs = performance.now();
    } catch (error) {
      if (this.#isAway !== true) logger.warn({ err: error }, 'keys and plans cannot be followed');
      this.#isAway = true;
    }
  }

  async #follow(): Promise<void> {
    const { cache } = this.options;
    this.#database ??= await this.#connect();
    const { manager } = this.#database;
    for (const plan of await plansChangedAfter(manager, this.#planPosition)) {
      this.#plans.set(plan.name, new Policy(plan));
      this.#planPosition = plan.changeNumber;
    }
    this.#keyPosition ??= await newestKeyChange(manager);
    for (;;) {
      const changed = await keysChangedAfter(manager, this.#keyPosition, changesMax);
      for (const access of changed) {
        cache.apply(access);
        this.#keyPosition = access.changeNumber;
      }
      if (changed.length < changesMax) return;
    }
  }

  #connect() {
    const { databaseUrl } = this.options;
    const options = { application: 'jetton-analytics gateway', connectionsMax, statementTimeoutMs };
    return createDataSource(databaseUrl, options).initialize();
  }
}
