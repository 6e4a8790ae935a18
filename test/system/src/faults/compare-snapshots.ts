import type { Assets } from '../oracle/assets.js';
import { legsOfMessage, type Leg } from '../oracle/legs.js';
import type { TradeMessage } from '../oracle/parse-message.js';
import type { EngineClient } from './engine-client.js';
import {
  jettonWindows,
  marketWindows,
  priceChangedAt,
  stepNames,
  usdByDay,
  type StepName,
  type Tuple,
} from './expected-snapshots.js';
import type { Findings } from './findings.js';

/** What one published row says, as one text. */
export const textOf = (...parts: readonly unknown[]): string =>
  JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'number' ? String(value) : value));

/** The newest published rows of the newest term: of each key the greatest version that a marker covers. */
const published = (step: StepName) => `version <= (SELECT max(version) FROM snapshot_markers_v1 WHERE step = '${step}'
    AND term = (SELECT max(term) FROM snapshot_markers_v1))
  AND step = '${step}' AND term = (SELECT max(term) FROM snapshot_markers_v1)`;

/** All legs that hold, per jetton. */
export function legsByJetton(winners: ReadonlyMap<string, TradeMessage>, assets: Assets): Map<string, Leg[]> {
  const legs = [...winners].flatMap(([eventId, message]) => legsOfMessage(eventId, message, assets));
  return Map.groupBy(legs, ({ jetton }) => jetton);
}

/** The expected rows of one step at C by `jetton` and by `jetton|pool`. */
function expectedRows(legs: ReadonlyMap<string, Leg[]>, step: StepName, c: number, assets: Assets) {
  const jettons = new Map<string, string>();
  const windows = new Map<string, Tuple[]>();
  const markets = new Map<string, string>();
  for (const [jetton, ofJetton] of legs) {
    const tuples = jettonWindows(step, jetton, ofJetton, c, assets);
    windows.set(jetton, tuples);
    const changedAt = priceChangedAt(step, ofJetton, c, assets);
    jettons.set(jetton, textOf(tuples, ...changedAt, usdByDay(step, ofJetton, c)));
    for (const [pool, ofPool] of Map.groupBy(ofJetton, (leg) => leg.pool)) {
      if (pool === null) continue;
      const market = marketWindows(step, jetton, ofPool, c, assets);
      markets.set(`${jetton}|${pool}`, textOf(market.counterpart, market.windows));
    }
  }
  return { jettons, markets, windows };
}

function compareRows(
  place: string,
  stored: Iterable<readonly string[]>,
  expected: ReadonlyMap<string, string>,
  read: (columns: readonly string[]) => string,
  findings: Findings,
): void {
  const left = new Map(expected);
  for (const [key = '', known, ...columns] of stored) {
    if (known !== '1') continue;
    findings.compared(place);
    findings.equal(place, key, 'figures', read(columns), left.get(key) ?? 'unknown');
    left.delete(key);
  }
  for (const key of left.keys()) findings.differs(place, key, 'row', 'missing', 'a row');
}

/**
 * Compares every published row of every step with the legs at C = `asOf`. Returns the windows by `jetton|step`, for the
 * comparison with the topic.
 */
export async function compareSnapshots(
  engine: EngineClient,
  legs: ReadonlyMap<string, Leg[]>,
  asOf: number,
  assets: Assets,
  findings: Findings,
): Promise<Map<string, Tuple[]>> {
  const windows = new Map<string, Tuple[]>();
  for (const step of stepNames) {
    const expected = expectedRows(legs, step, asOf, assets);
    for (const [jetton, tuples] of expected.windows) windows.set(`${jetton}|${step}`, tuples);
    const jettons = await engine.all(`SELECT jetton, toString(known), toJSONString(windows),
        toString(toUnixTimestamp(price_changed_at_ton)), toString(toUnixTimestamp(price_changed_at_usd)), toJSONString(usd_by_day)
      FROM jetton_statistics_v1 WHERE ${published(step)} ORDER BY jetton, version DESC LIMIT 1 BY jetton`);
    const jettonText = ([tuples = '', ton, inUsd, days = '']: readonly string[]) =>
      textOf(JSON.parse(tuples), ton, inUsd, JSON.parse(days));
    compareRows(`jetton_statistics_v1 ${step}`, jettons, expected.jettons, jettonText, findings);

    const markets =
      await engine.all(`SELECT concat(jetton, '|', pool), toString(known), counterpart, toJSONString(windows)
      FROM market_statistics_v1 WHERE ${published(step)} ORDER BY jetton, pool, version DESC LIMIT 1 BY jetton, pool`);
    const marketText = ([counterpart, tuples = '']: readonly string[]) => textOf(counterpart, JSON.parse(tuples));
    compareRows(`market_statistics_v1 ${step}`, markets, expected.markets, marketText, findings);
  }
  return windows;
}

/** Of the newest snapshot of each step: C, and how many records are in it. */
const newestSnapshots = (engine: EngineClient) =>
  engine.all(`SELECT step, toUnixTimestamp(argMax(calculated_at, version)), argMax(input_position, version)
    FROM snapshot_markers_v1 WHERE term = (SELECT max(term) FROM snapshot_markers_v1) GROUP BY step`);

/** Whether the newest snapshot of every step is of `asOf` and of everything up to `position`. */
export async function isSnapshotOf(engine: EngineClient, asOf: number, position: bigint): Promise<boolean> {
  const rows = await newestSnapshots(engine);
  return (
    rows.length === stepNames.length && rows.every(([, c, at]) => Number(c) === asOf && BigInt(at ?? 0) === position)
  );
}

/** Whether the snapshots of all steps have followed up to `position`. */
export async function haveSnapshotsFollowed(engine: EngineClient, position: bigint): Promise<boolean> {
  const rows = await newestSnapshots(engine);
  return rows.length === stepNames.length && rows.every(([, , at]) => BigInt(at ?? 0) === position);
}
