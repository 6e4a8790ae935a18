import type { Clock } from '@jetton-analytics/service/process';
import type { MarketRecord, SimulatedMarket } from '@jetton-analytics/simulated-market';
import type { TopicNames } from '../env.js';
import type { FeedProducer } from '../feed-producer.js';
import type { Output, Progress } from '../output.js';
import { pause } from '../pause.js';
import { SendWindow } from '../send-window.js';
import type { OpenMarket } from './market-file.js';

export interface Simulation extends OpenMarket {
  readonly producer: FeedProducer;
  readonly topics: TopicNames;
  readonly clock: Clock;
  readonly isLive: boolean;
  readonly output: Output;
  readonly signal: AbortSignal;
}

const batchRecords = 1500;
const sendsMax = 4;
/** Trades are gathered this long, so that a fast market does not make a request of each. */
const lingerMs = 20;
const waitMaxMs = 250;
const saveEveryMs = 10_000;
const backfillNoticeMs = 500;
const liveNoticeMs = 60_000;
/** After standing still there is at most as much to catch up with as at the first start, or a minute of trades. */
const gapSecondsMin = 60;

/**
 * Sends the market's records as they fall due, the history at once: until the signal, or without live trades until the
 * history is through. What is saved has been acknowledged; after a kill the records since then are sent again the same.
 */
export async function simulate(simulation: Simulation): Promise<void> {
  const { market, save, clock, isLive, signal } = simulation;
  const window = new SendWindow(sendsMax);
  const historyDueMs = market.options.historyEndMs + market.options.delayMs - 1;
  const notice = createNotice(simulation, isLive ? clock.now() : historyDueMs);
  let savedMs = clock.now();
  let wasLive = false;
  while (!signal.aborted) {
    const nowMs = clock.now();
    const bridged = isLive && market.fillGap(nowMs, gapTradesMax(market));
    if (bridged || nowMs - savedMs >= saveEveryMs) {
      await window.drain();
      await save();
      savedMs = nowMs;
    }
    const records = market.advance(isLive ? nowMs : historyDueMs, batchRecords);
    if (records.length > 0) await window.add(() => sendAll(simulation, records));
    else if (!isLive) break;
    const hasCaughtUp = isLive && records.length < batchRecords;
    // What is called sent is acknowledged, at least when the first live trades are announced.
    if (hasCaughtUp && !wasLive) await window.drain();
    wasLive ||= hasCaughtUp;
    notice(hasCaughtUp, nowMs);
    if (hasCaughtUp) await rest(market.nextRecordMs - clock.now(), signal);
  }
  await window.drain();
  await save();
}

function gapTradesMax({ options }: SimulatedMarket): number {
  return Math.max(options.historyTrades, Math.ceil(options.ratePerSecond * gapSecondsMin));
}

async function sendAll({ producer, topics }: Simulation, records: readonly MarketRecord[]): Promise<void> {
  const byKind = Map.groupBy(records, ({ kind }) => kind);
  await Promise.all(Array.from(byKind, ([kind, ofKind]) => producer.send(topics[kind], ofKind)));
}

async function rest(dueInMs: number, signal: AbortSignal): Promise<void> {
  const restMs = Math.min(Math.max(dueInMs, lingerMs), waitMaxMs);
  await pause(restMs, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Tells how far it is: often until everything due has been sent once, then once a minute. */
function createNotice({ market, output, isResumed }: Simulation, untilMs: number) {
  const madeBefore = market.tradesMade;
  const due = market.tradesDue(untilMs);
  let phase: Progress['phase'] = isResumed && market.isHistoryDone ? 'gap' : 'backfill';
  let toldMs = 0;
  return (hasCaughtUp: boolean, nowMs: number): void => {
    const isFirstLive = hasCaughtUp && phase !== 'live';
    if (!isFirstLive && nowMs - toldMs < (phase === 'live' ? liveNoticeMs : backfillNoticeMs)) return;
    toldMs = nowMs;
    const sent = market.tradesMade - madeBefore;
    if (isFirstLive) {
      output.progress({ phase, sent, total: sent });
      phase = 'live';
    }
    output.progress(phase === 'live' ? { phase, sent } : { phase, sent, total: Math.max(due, sent) });
  };
}
