import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { inputStatusRows } from '../inputs/input-status.query.js';
import { Inputs } from '../inputs/inputs.js';
import type { ReadModelSettings } from '../settings.js';
import { clickHouseSource } from '../snapshots/clickhouse-source.js';
import { followOnce } from '../snapshots/follow-step.js';
import { Snapshots } from '../snapshots/snapshots.js';
import { FollowLoop } from './follow-loop.js';

/** Token of the ClickHouse reader. */
export const STORE = Symbol('store');

const statusIntervalMs = 1_000;

/** Fills the read model on start and keeps it up with the store; ready once every step has been read. */
@Injectable()
export class ReadModelFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #loops: readonly FollowLoop[];

  constructor(
    @Inject(STORE) private readonly store: ClickHouseReader,
    @Inject(SETTINGS) settings: ReadModelSettings,
    @Inject(LOGGER) logger: Logger,
    private readonly model: Snapshots,
    inputs: Inputs,
    private readonly health: Health,
  ) {
    const source = clickHouseSource(store);
    this.#loops = [
      new FollowLoop(() => followOnce(source, model), {
        name: 'snapshots',
        intervalMs: settings.FOLLOW_INTERVAL_MS,
        logger,
      }),
      new FollowLoop(async () => inputs.update(await store.query(inputStatusRows, {})), {
        name: 'inputs',
        intervalMs: statusIntervalMs,
        logger,
      }),
    ];
  }

  onApplicationBootstrap(): void {
    // The state of the store is told but does not decide: reads go on without it.
    this.health.addReadiness('snapshots', () => {
      const { short, mid, long } = this.model.positions;
      const missing = Object.entries({ short, mid, long }).flatMap(([step, held]) =>
        held === undefined ? [step] : [],
      );
      const away = this.#loops.some(({ failures }) => failures > 0) ? 'the store is away' : 'following';
      return {
        ok: missing.length === 0,
        detail: missing.length === 0 ? away : `waiting for ${missing.join(', ')}; ${away}`,
      };
    });
    for (const loop of this.#loops) loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.store.close();
  }
}
