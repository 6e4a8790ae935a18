import type { TradeMessage } from '../oracle/parse-message.js';
import type { Assets } from '../oracle/assets.js';
import type { EngineClient } from './engine-client.js';
import { expectedBuckets, grainSeconds, versionModulus, type Grain, type Kind } from './expected-buckets.js';
import type { Findings } from './findings.js';

const figures = [
  ['transactionsBuy', 'transactions_buy'],
  ['transactionsSell', 'transactions_sell'],
  ['volumeUsdBuy', 'volume_usd_buy'],
  ['volumeUsdSell', 'volume_usd_sell'],
  ['volumeTonBuy', 'volume_ton_buy'],
  ['volumeTonSell', 'volume_ton_sell'],
  ['traders', 'finalizeAggregation(traders)'],
] as const;
const bySide = [
  ['tradersBuy', 'finalizeAggregation(traders_buy)'],
  ['tradersSell', 'finalizeAggregation(traders_sell)'],
] as const;
const counterpartText = `arrayStringConcat(arrayMap(c -> concat(c.1, ' ', toString(c.2), ' ', toString(c.3), ' ',
  toString(toUnixTimestamp(c.4)), ' ', toString(c.5)), counterparts), ';')`;
const prices = [
  ['priceVolumeTon', 'price_volume_ton'],
  ['priceAmountTon', 'price_amount_ton'],
  ['priceVolumeUsd', 'price_volume_usd'],
  ['priceAmountUsd', 'price_amount_usd'],
  ['counterparts', counterpartText],
] as const;

function columnsOf(kind: Kind, grain: Grain): (readonly [field: string, sql: string])[] {
  if (kind === 'jetton') return [...figures, ...bySide];
  return grain === 'minute' ? [...figures, ...prices] : [...figures];
}

/** The longest reach of the windows, within which closed hours and days are kept up. */
const reachSeconds = 60 * 86_400;

/** The version as bucket tables and topics have it, without the epoch above it. */
export const plainVersion = (text: string): string => (BigInt(text) % versionModulus).toString();

/**
 * Compares every field of every row of a bucket table with what the messages say. Minutes must be complete; of hours and
 * days those that have ended before `asOf`, within the reach of the windows.
 */
export async function compareTable(
  engine: EngineClient,
  winners: ReadonlyMap<string, TradeMessage>,
  { kind, grain, asOf }: { readonly kind: Kind; readonly grain: Grain; readonly asOf: number },
  assets: Assets,
  findings: Findings,
): Promise<void> {
  const name = `${kind}_trades_per_${grain}_v1`;
  const columns = columnsOf(kind, grain);
  const isDue = (key: string) => {
    const start = Number(key.slice(key.lastIndexOf('|') + 1));
    return grain === 'minute' || (start >= asOf - reachSeconds && start + grainSeconds[grain] <= asOf);
  };
  const expected = new Map([...expectedBuckets(winners, kind, grain, assets)].filter(([key]) => isDue(key)));
  const keys = `jetton${kind === 'pool' ? `, '|', pool` : ''}`;
  const sql = `SELECT concat(${keys}, '|', toString(toUnixTimestamp(${grain}))), toString(version),
    ${columns.map(([, column]) => `toString(${column})`).join(', ')} FROM ${name} FINAL`;
  for await (const [key = '', version = '0', ...values] of engine.rows(sql)) {
    if (!isDue(key)) continue;
    const wanted = expected.get(key);
    expected.delete(key);
    findings.compared(name);
    if (wanted === undefined) findings.differs(name, key, 'row', 'stored', 'no such bucket');
    else {
      findings.equal(name, key, 'version', plainVersion(version), wanted['version']);
      for (const [index, [field]] of columns.entries()) findings.equal(name, key, field, values[index], wanted[field]);
    }
  }
  for (const key of expected.keys()) findings.differs(name, key, 'row', 'missing', 'a bucket');
}
