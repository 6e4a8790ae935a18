import { setTimeout as sleep } from 'node:timers/promises';
import { JettonStatistics, JettonStatisticsList } from '@jetton-analytics/common';
import { feedSettings, toUserFriendly } from '@jetton-analytics/feed';
import { z } from 'zod';
import { mostTradedJetton } from './most-traded.query.js';

const StableSettings = z.object({ STABLE_ADDRESSES: feedSettings.STABLE_ADDRESSES });
const answerTimeoutMs = 20_000;
const requestTimeoutMs = 5_000;
const paidPollMs = 250;
/** A day is calculated every two minutes. */
const dayAgeMsMax = 5 * 60_000;

export interface FirstQuery {
  readonly url: string;
  /** A figure of the answer, to be told beside it. */
  readonly answer: string;
}

function answerOf({ hour, day }: JettonStatistics['transactions']): string {
  const [figure, window] = hour.current === '0' ? [day, 'day'] : [hour, 'hour'];
  return `${figure.current} transactions in the ${window} before ${figure.calculatedAt}`;
}

/** What one attempt gives; undefined where it takes too long. */
async function inTime<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  try {
    return await attempt(timeout);
  } catch (error) {
    if (timeout.aborted) return undefined;
    throw error;
  }
}

/** The days of the jettons asked for. */
async function askPaid(url: string, headers: Record<string, string>, timeout: AbortSignal) {
  const response = await fetch(url, { headers, signal: timeout });
  if (response.status === 200) {
    return JettonStatisticsList.parse(await response.json()).items.map(({ transactions }) => transactions.day);
  }
  await response.body?.cancel();
  return 'refused' as const;
}

/**
 * A question for holders of a key of a paid plan, asked with it: the jettons most traded in a day with their statistics.
 * After a backlog the day is calculated a little later than the hour, so that it is asked again until the days are of
 * `asOf`; only for markets with trades in the last day. Undefined where it is not answered in time.
 */
export async function paidQuery(
  apiUrl: string,
  key: string,
  asOf: string,
  signal: AbortSignal,
): Promise<FirstQuery | undefined> {
  const url = `${apiUrl}/v1/jettons/stats?sort=volume24h&order=desc&limit=3`;
  const headers = { authorization: `Bearer ${key}` };
  const oldestMs = Date.parse(asOf) - dayAgeMsMax;
  for (const end = performance.now() + answerTimeoutMs; ;) {
    const answer = await inTime((timeout) => askPaid(url, headers, timeout));
    if (answer === 'refused') return undefined;
    const days = answer ?? [];
    const isCalculated = days.every(({ current, calculatedAt }) => {
      return current !== '0' && Date.parse(calculatedAt) >= oldestMs;
    });
    if (days.length > 0 && isCalculated) {
      return { url, answer: `${days.map(({ current }) => current).join(', ')} transactions of these in a day` };
    }
    if (performance.now() >= end) return undefined;
    await sleep(paidPollMs, undefined, { signal });
  }
}

async function ask(url: string, timeout: AbortSignal): Promise<JettonStatistics | undefined> {
  const response = await fetch(url, { signal: timeout });
  if (response.status === 200) return JettonStatistics.parse(await response.json());
  await response.body?.cancel();
  return undefined;
}

/**
 * The first thing to ask the API: the statistics of the jetton most traded in the last day, stables aside. It has been
 * asked: the answer is part of the result. Undefined when nothing is traded or it is not answered in time.
 */
export async function firstQuery(
  env: NodeJS.ProcessEnv,
  apiUrl: string,
  asOf: string,
  signal: AbortSignal,
): Promise<FirstQuery | undefined> {
  const stables = StableSettings.parse(env).STABLE_ADDRESSES;
  const jetton = (await mostTradedJetton(env, asOf, stables)) ?? (await mostTradedJetton(env, asOf, []));
  if (jetton === undefined) return undefined;
  const url = `${apiUrl}/v1/jettons/${toUserFriendly(jetton, { bounceable: true })}/stats`;
  for (const end = performance.now() + answerTimeoutMs; performance.now() < end;) {
    const figure = await inTime((timeout) => ask(url, timeout));
    if (figure !== undefined) return { url, answer: answerOf(figure.transactions) };
    await sleep(500, undefined, { signal });
  }
  return undefined;
}
