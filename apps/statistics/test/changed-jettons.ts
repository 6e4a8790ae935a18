import { formatInstant, stepOf, type WindowA } from '@jetton-analytics/figures';
import { pollUntil } from '@jetton-analytics/testing';
import { busyJetton } from './busy-jetton.js';
import { SeededMarket } from './seeded-market.js';
import { type RunningStatistics, startStatistics } from './start-statistics.js';

const raw = (digits: string): string => `0:${digits.repeat(32)}`;

export const calculatedAt = { short: 1_760_000_002, mid: 1_760_000_000, long: 1_759_999_920 };
export const first = busyJetton(raw('a1'), 1);
export const second = busyJetton(raw('b2'), 2);
export type BusyJetton = typeof first;
/** Known from metadata alone. */
export const silent = { address: raw('c3'), metadata: { name: 'Known by name', symbol: 'KBN' } };
export const unknown = raw('d4');
export const all = [second.address, unknown, first.address, silent.address];

/** calculatedAt of a window as it is written. */
export const at = (window: WindowA): string => formatInstant(calculatedAt[stepOf[window]]);

export const keyed = <Key extends WindowA, Value>(keys: readonly Key[], valueOf: (window: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)]));

/** The app over these jettons; `prepare` runs before it starts. */
export async function startOverChanges(
  prepare: (market: SeededMarket) => Promise<void> = async () => undefined,
): Promise<{ market: SeededMarket; app: RunningStatistics }> {
  const market = await SeededMarket.create();
  await prepare(market);
  await market.facts([silent]);
  await market.snapshots([first, second], calculatedAt);
  const app = await startStatistics(market.settings);
  // what comes from PostgreSQL is read beside the snapshots
  await pollUntil(async () => (await app.get(`/v1/jettons/${silent.address}/stats`)).status === 200, {
    what: 'the metadata',
  });
  return { market, app };
}
