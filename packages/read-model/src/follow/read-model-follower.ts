import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { type CheckResult, Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { inputStatusRows } from '../inputs/input-status.query.js';
import { Inputs } from '../inputs/inputs.js';
import { ReadModelTables } from '../read-model-tables.js';
import type { ReadModelSettings } from '../settings.js';
import { PostgresReader } from '../stores/postgres-reader.js';
import { CLICKHOUSE } from '../stores/tokens.js';
import { createFollowers, type Follower } from './followers.js';
import { FollowLoop } from './follow-loop.js';

interface Followed {
  readonly store: Follower['store'];
  readonly loop: FollowLoop;
}

const statusIntervalMs = 1_000;

/**
 * Fills the read model on start and keeps it up with the stores; ready once every source has been read and everything is
 * derived from it. From then on reads go on whatever is away.
 */
@Injectable()
export class ReadModelFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #followed: readonly Followed[];
  readonly #status: FollowLoop;
  #isDerived = false;

  constructor(
    @Inject(CLICKHOUSE) private readonly clickhouse: ClickHouseReader,
    private readonly postgres: PostgresReader,
    @Inject(SETTINGS) settings: ReadModelSettings,
    @Inject(LOGGER) logger: Logger,
    private readonly tables: ReadModelTables,
    inputs: Inputs,
    private readonly health: Health,
  ) {
    const standardCodeHashes = settings.STANDARD_MINTER_CODE_HASHES;
    const followers = createFollowers(tables, { clickhouse, postgres, standardCodeHashes });
    this.#followed = followers.map(({ name, store, followOnce }) => {
      const intervalMs = name === 'snapshots' ? settings.FOLLOW_INTERVAL_MS : settings.FOLLOW_INPUTS_INTERVAL_MS;
      const round = async () => {
        await followOnce();
        this.#deriveWhenRead();
      };
      return { store, loop: new FollowLoop(round, { name, intervalMs, logger }) };
    });
    this.#status = new FollowLoop(async () => inputs.update(await clickhouse.query(inputStatusRows, {})), {
      name: 'inputs',
      intervalMs: statusIntervalMs,
      logger,
    });
  }

  onApplicationBootstrap(): void {
    // The state of the stores is told but does not decide once all was read: reads go on without them.
    this.health.addReadiness('read model', () => this.#readiness());
    for (const { loop } of this.#followed) loop.start();
    this.#status.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#followed.map(({ loop }) => loop.stop()), this.#status.stop()]);
    await this.tables.deriver.stop();
    await Promise.all([this.clickhouse.close(), this.postgres.close()]);
  }

  /** What has not been read yet: sources, and steps of the snapshots. */
  #missing(): string[] {
    const { short, mid, long } = this.tables.snapshots.positions;
    return [
      ...this.#followed.filter(({ loop }) => !loop.hasSucceeded).map(({ loop }) => loop.name),
      ...Object.entries({ short, mid, long }).flatMap(([step, held]) => (held === undefined ? [step] : [])),
    ];
  }

  #deriveWhenRead(): void {
    const { deriver } = this.tables;
    // In the next turn: the round that calls has not been counted yet.
    setImmediate(() => {
      if (this.#isDerived || this.#missing().length > 0) return;
      this.#isDerived = true;
      deriver.start();
    });
  }

  #readiness(): CheckResult {
    const stores = new Set(this.#followed.flatMap(({ loop, store }) => (loop.failures > 0 ? [store] : [])));
    if (this.#status.failures > 0) stores.add('ClickHouse');
    const state = stores.size === 0 ? 'following' : `the store is away: ${[...stores].join(', ')}`;
    const missing = this.#missing();
    if (missing.length > 0) return { ok: false, detail: `waiting for ${missing.join(', ')}; ${state}` };
    const { deriver } = this.tables;
    if (!deriver.hasSettled) return { ok: false, detail: `deriving ${deriver.pending} jettons; ${state}` };
    return { ok: true, detail: state };
  }
}
