import type { Assets } from '../oracle/assets.js';
import { assetOf } from '../oracle/assets.js';
import { counts } from '../oracle/counterpart.js';
import { plainText } from '../oracle/exact.js';
import { contentHashOf } from '../oracle/ledger.js';
import { legsOfMessage, type Leg } from '../oracle/legs.js';
import type { TradeMessage } from '../oracle/parse-message.js';
import { isPriced } from '../oracle/price.js';

export type Grain = 'minute' | 'hour' | 'day';
export type Kind = 'jetton' | 'pool';
export const grainSeconds = { minute: 60, hour: 3_600, day: 86_400 } as const;

/** Sums of row versions lie below this bit; above it a rebuild's epoch. */
export const versionModulus = 1n << 192n;

interface Sums {
  version: bigint;
  buys: number;
  sells: number;
  usdBuy: bigint;
  usdSell: bigint;
  tonBuy: bigint;
  tonSell: bigint;
  readonly traders: Set<string>;
  readonly tradersBuy: Set<string>;
  readonly tradersSell: Set<string>;
  /** V and A of the priced legs, in ton and in usd. */
  readonly priced: [bigint, bigint, bigint, bigint];
  readonly counterparts: Map<string, { counter: bigint; amount: bigint; last: string }>;
}

const empty = (): Sums => ({
  version: 0n,
  buys: 0,
  sells: 0,
  usdBuy: 0n,
  usdSell: 0n,
  tonBuy: 0n,
  tonSell: 0n,
  traders: new Set(),
  tradersBuy: new Set(),
  tradersSell: new Set(),
  priced: [0n, 0n, 0n, 0n],
  counterparts: new Map(),
});

/** The version of a ledger row by its definition in docs/adr/0002-ledger-and-versions.md. */
function rowVersion(message: TradeMessage, assets: Assets): bigint {
  const rank = message.revision * 2n + (message.deleted ? 1n : 0n);
  return (rank << 112n) | (BigInt(message.recordMs) << 64n) | contentHashOf(message, assets);
}

/** The jettons in whose buckets an event has a row, whether it is a trade or not. */
function rowJettons(message: TradeMessage, assets: Assets): string[] {
  const sides = [assetOf(message.sold, assets), assetOf(message.bought, assets)];
  return sides.filter((asset) => asset !== 'ton');
}

function add(sums: Sums, leg: Leg, assets: Assets): void {
  const isBuy = leg.side === 'buy';
  if (isBuy) {
    sums.buys += 1;
    sums.usdBuy += leg.volumeUsd ?? 0n;
    sums.tonBuy += leg.volumeTon ?? 0n;
  } else {
    sums.sells += 1;
    sums.usdSell += leg.volumeUsd ?? 0n;
    sums.tonSell += leg.volumeTon ?? 0n;
  }
  if (leg.trader !== null) {
    sums.traders.add(leg.trader);
    (isBuy ? sums.tradersBuy : sums.tradersSell).add(leg.trader);
  }
  if (isPriced(leg, 'ton', assets)) {
    sums.priced[0] += leg.volumeTon ?? 0n;
    sums.priced[1] += leg.amount;
  }
  if (isPriced(leg, 'usd', assets)) {
    sums.priced[2] += leg.volumeUsd ?? 0n;
    sums.priced[3] += leg.amount;
  }
  if (!counts(leg, assets)) return;
  const known = sums.counterparts.get(leg.other) ?? { counter: 0n, amount: 0n, last: '' };
  const last = `${leg.eventTime} ${leg.eventId}`;
  sums.counterparts.set(leg.other, {
    counter: known.counter + leg.otherAmount,
    amount: known.amount + leg.amount,
    last: last > known.last ? last : known.last,
  });
}

const volume = (value: bigint) => plainText(value, 18);

function fieldsOf(sums: Sums, kind: Kind, grain: Grain): Record<string, string> {
  const traded = {
    version: (sums.version % versionModulus).toString(),
    transactionsBuy: String(sums.buys),
    transactionsSell: String(sums.sells),
    volumeUsdBuy: volume(sums.usdBuy),
    volumeUsdSell: volume(sums.usdSell),
    volumeTonBuy: volume(sums.tonBuy),
    volumeTonSell: volume(sums.tonSell),
    traders: String(sums.traders.size),
  };
  if (kind === 'jetton') {
    return { ...traded, tradersBuy: String(sums.tradersBuy.size), tradersSell: String(sums.tradersSell.size) };
  }
  if (grain !== 'minute') return traded;
  const [volumeTon, amountTon, volumeUsd, amountUsd] = sums.priced;
  const counterparts = [...sums.counterparts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([asset, { counter, amount, last }]) => [asset, counter, amount, last].join(' '));
  return {
    ...traded,
    priceVolumeTon: volume(volumeTon),
    priceAmountTon: amountTon.toString(),
    priceVolumeUsd: volume(volumeUsd),
    priceAmountUsd: amountUsd.toString(),
    counterparts: counterparts.join(';'),
  };
}

/** Every bucket of one kind and grain with all its fields, by `jetton|[pool|]start`: those emptied by retractions too. */
export function expectedBuckets(
  winners: ReadonlyMap<string, TradeMessage>,
  kind: Kind,
  grain: Grain,
  assets: Assets,
): Map<string, Record<string, string>> {
  const buckets = new Map<string, Sums>();
  const seconds = grainSeconds[grain];
  for (const [eventId, message] of winners) {
    const start = message.eventTime - (message.eventTime % seconds);
    const key = (jetton: string) => [jetton, ...(kind === 'pool' ? [message.pool ?? ''] : []), start].join('|');
    const version = rowVersion(message, assets);
    for (const jetton of rowJettons(message, assets)) {
      const sums = buckets.get(key(jetton)) ?? empty();
      sums.version += version;
      buckets.set(key(jetton), sums);
    }
    for (const leg of legsOfMessage(eventId, message, assets)) {
      const sums = buckets.get(key(leg.jetton));
      if (sums !== undefined) add(sums, leg, assets);
    }
  }
  return new Map([...buckets].map(([key, sums]) => [key, fieldsOf(sums, kind, grain)]));
}
