import { createLogger, systemClock } from '@jetton-analytics/service/process';
import { readSettings } from './env.js';
import { openFeedProducer } from './feed-producer.js';
import type { Output } from './output.js';
import { pause } from './pause.js';
import { replay } from './replay/replay.js';
import { chooseShift, type ShiftWish } from './replay/shift.js';
import { openMarket, type MarketWishes } from './simulate/market-file.js';
import { simulate } from './simulate/simulate.js';

export interface SimulateOptions {
  readonly wishes: MarketWishes;
  readonly isLive: boolean;
  readonly stateDir: string | undefined;
}

export interface ReplayOptions {
  readonly path: string;
  readonly shift: ShiftWish;
  readonly stateDir: string | undefined;
  /** Afterwards the process stays until it is stopped. */
  readonly stay: boolean;
}

export interface Surroundings {
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** `simulate`: until the signal, or until the history is through. Throws a UserError. */
export async function runSimulate(
  { wishes, isLive, stateDir }: SimulateOptions,
  { output, signal }: Surroundings,
): Promise<void> {
  const { topics, kafka, logLevel, logFormat } = readSettings();
  const logger = createLogger({ name: 'market', level: logLevel, format: logFormat });
  const producer = await openFeedProducer({ connection: kafka, topics: Object.values(topics), logger, signal });
  try {
    const open = await openMarket(stateDir, wishes, systemClock.now());
    const { options, pools } = open.market;
    const story = open.isResumed
      ? 'going on where it stopped'
      : `${options.historyTrades} trades of ${options.historyDays} days`;
    const market = `SIMULATED MARKET (seed ${options.seed}): ${options.jettons} jettons in ${pools.length} pools`;
    output.say(`${market}, all invented; ${story}${isLive ? ', then live' : ''}`);
    await simulate({ ...open, producer, topics, clock: systemClock, isLive, output, signal });
    if (!signal.aborted) output.done({ sent: open.market.tradesMade });
  } finally {
    await producer.close();
  }
}

/** `replay`: the whole file once. Throws a UserError. */
export async function runReplay(
  { path, shift, stateDir, stay }: ReplayOptions,
  { output, signal }: Surroundings,
): Promise<void> {
  const { topics, kafka, logLevel, logFormat } = readSettings();
  const logger = createLogger({ name: 'market', level: logLevel, format: logFormat });
  const nowMs = systemClock.now();
  const shiftSeconds = await chooseShift(path, shift, stateDir, nowMs);
  const rewriting = { shiftSeconds, latestSeconds: Math.floor(nowMs / 1000) };
  const producer = await openFeedProducer({ connection: kafka, topics: [topics.trades], logger, signal });
  try {
    const moved = shiftSeconds === 0 ? '' : `, event times moved by ${shiftSeconds} s`;
    output.say(`replaying ${path} into ${topics.trades}${moved}`);
    const counts = await replay({ path, rewriting, topic: topics.trades, producer, output, signal });
    if (!signal.aborted) output.done({ ...counts });
  } finally {
    await producer.close();
  }
  if (stay) await idle(signal);
}

async function idle(signal: AbortSignal): Promise<void> {
  const dayMs = 86_400_000;
  while (!signal.aborted) {
    await pause(dayMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
