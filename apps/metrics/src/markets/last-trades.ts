import { SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable } from '@nestjs/common';
import type { Env } from '../env.js';
import { AnswerCache } from '../history/answer-cache.js';
import { withinHistory } from '../history/history-range.js';
import { HistoryStore } from '../history/history-store.js';
import { newestTradedMinutes, newestTrades } from './last-trades.query.js';

const minuteSeconds = 60;
const daySeconds = 86_400;
/** How far back is looked for the pools that have not been found nearer: most of a page are found in the first day. */
const reachesSeconds = [daySeconds, 31 * daySeconds, Number.POSITIVE_INFINITY];

/** When markets were traded last: from the ledger, by the rollups that lead to it; kept until the next snapshot. */
@Injectable()
export class LastTrades {
  readonly #cache: AnswerCache<ReadonlyMap<string, number>>;

  constructor(
    private readonly store: HistoryStore,
    @Inject(SETTINGS) settings: Env,
  ) {
    this.#cache = new AnswerCache(settings.HISTORY_CACHE_ENTRIES);
  }

  /**
   * Unix seconds of the newest trade of the jetton in each pool before `before` (Unix seconds), those that retention
   * dropped included; a pool without any is absent. Throws DomainError where the store is away, busy or too slow.
   */
  of(jetton: string, pools: readonly string[], before: number): Promise<ReadonlyMap<string, number>> {
    if (pools.length === 0) return Promise.resolve(new Map());
    return this.#cache.get(JSON.stringify([jetton, before, pools]), () => this.#read(jetton, pools, before));
  }

  async #read(jetton: string, pools: readonly string[], before: number): Promise<ReadonlyMap<string, number>> {
    // Of the minute of `before` a part counts: only the ledger can tell whether anything in it does.
    const part = before - (before % minuteSeconds);
    const minutes = new Set([part]);
    let left = pools;
    let to = part;
    for (const reach of reachesSeconds) {
      if (left.length === 0) break;
      const from = withinHistory(part - reach);
      const found = await this.store.query(newestTradedMinutes, { jetton, pools: [...left], from, to });
      for (const { minute_s: minute } of found) minutes.add(minute);
      const known = new Set(found.map(({ pool }) => pool));
      left = left.filter((pool) => !known.has(pool));
      to = from;
    }
    const trades = await this.store.query(newestTrades, { jetton, pools: [...pools], minutes: [...minutes], before });
    return new Map(trades.map(({ pool, last_s: last }) => [pool, last]));
  }
}
