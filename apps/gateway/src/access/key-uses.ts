import type { Clock, Logger } from '@jetton-analytics/service';

const writeEveryMs = 60_000;
const keysMax = 100_000;

/** Notes when keys were used last, and writes it once a minute. What cannot be written waits for the next time. */
export class KeyUses {
  #uses = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly write: (uses: ReadonlyMap<string, number>) => Promise<void>,
  ) {
    this.#timer = setInterval(() => void this.flush(), writeEveryMs);
    this.#timer.unref();
  }

  note(keyId: string): void {
    if (this.#uses.size < keysMax || this.#uses.has(keyId)) this.#uses.set(keyId, this.clock.now());
  }

  /** Does not throw. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    try {
      await this.write(uses);
    } catch (error) {
      this.logger.warn({ err: error, keys: uses.size }, 'last uses of keys could not be written');
      // What came meanwhile is newer.
      for (const [keyId, atMs] of this.#uses) uses.set(keyId, atMs);
      this.#uses = uses;
    }
  }

  /** Writes what is left. Does not throw. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
