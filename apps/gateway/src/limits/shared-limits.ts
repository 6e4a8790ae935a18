import type { CheckResult, Logger } from '@jetton-analytics/service';
import { Redis } from 'ioredis';

const commandTimeoutMs = 250;
const connectTimeoutMs = 1_000;
const reconnectMs = 1_000;

/** The Redis or Valkey that holds the limits of all gateways together. */
export class SharedLimits {
  readonly client: Redis;

  constructor(url: string, logger: Logger) {
    this.client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: commandTimeoutMs,
      connectTimeout: connectTimeoutMs,
      // Closes a connection whose server has stopped answering, so that the next request need not wait for it.
      socketTimeout: commandTimeoutMs,
      retryStrategy: () => reconnectMs,
    });
    let away: boolean | undefined;
    const note = (nowAway: boolean, error?: Error) => {
      if (away === nowAway) return;
      away = nowAway;
      if (nowAway) logger.warn({ err: error }, 'Redis is away: limits are held per gateway');
      else logger.info('limits are held in Redis');
    };
    this.client.on('ready', () => note(false));
    this.client.on('error', (error: Error) => note(true, error));
    this.client.on('close', () => note(true));
  }

  get readiness(): CheckResult {
    return this.client.status === 'ready'
      ? { ok: true, detail: 'limits are shared' }
      : { ok: false, detail: 'limits are held per gateway' };
  }

  close(): void {
    this.client.disconnect();
  }
}
