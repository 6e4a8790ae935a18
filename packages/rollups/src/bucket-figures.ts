/**
 * The SQL that turns ledger rows into a bucket's figures, in one place: minutes, and the partial minutes that windows
 * and prices cut, must count alike. Reads one row per leg (FINAL). Rows that are no trade stay in the scan, since they
 * carry their part of the bucket's version.
 */

const trade = 'is_trade = 1';
const known = `${trade} AND trader != ''`;

/** Counts, volumes and whole states of traders. */
const marketFigures = `
  countIf(${trade} AND side = 'buy') AS transactions_buy,
  countIf(${trade} AND side = 'sell') AS transactions_sell,
  sumIf(ifNull(volume_usd, 0), ${trade} AND side = 'buy') AS volume_usd_buy,
  sumIf(ifNull(volume_usd, 0), ${trade} AND side = 'sell') AS volume_usd_sell,
  sumIf(ifNull(volume_ton, 0), ${trade} AND side = 'buy') AS volume_ton_buy,
  sumIf(ifNull(volume_ton, 0), ${trade} AND side = 'sell') AS volume_ton_sell,
  uniqExactStateIf(trader, ${known}) AS traders`;

/** Figures of a bucket: traders by side are asked of jettons only. */
export const tradeFigures = {
  jetton: `${marketFigures},
  uniqExactStateIf(trader, ${known} AND side = 'buy') AS traders_buy,
  uniqExactStateIf(trader, ${known} AND side = 'sell') AS traders_sell`,
  pool: marketFigures,
};

// A leg sets a price when its other side is a quote asset and the trade is known to be worth enough, where the least may
// be 0 (docs/statistics.md, "Price of a jetton").
const priced = `${trade} AND counter_asset IN {quoteAssets: Array(String)}
    AND ifNull(volume_usd, -1) >= {priceMinTradeUsd: Decimal(76, 18)}`;

/** Inputs of a jetton's price, per currency. */
export const priceFigures = `
  sumIf(assumeNotNull(volume_ton), ${priced} AND ifNull(volume_ton, 0) > 0) AS price_volume_ton,
  sumIf(toUInt256(amount), ${priced} AND ifNull(volume_ton, 0) > 0) AS price_amount_ton,
  sumIf(assumeNotNull(volume_usd), ${priced} AND ifNull(volume_usd, 0) > 0) AS price_volume_usd,
  sumIf(toUInt256(amount), ${priced} AND ifNull(volume_usd, 0) > 0) AS price_amount_usd`;

// The size test of a market's counterpart price (docs/statistics.md, "Market statistics").
const counting = `${trade} AND if(isNull(volume_usd), amount >= 1000 AND counter_amount >= 1000,
    ifNull(volume_usd, 0) >= {priceMinTradeUsd: Decimal(76, 18)})`;

/** Inputs of a market's price in one counter asset; grouped by counter_asset. */
export const counterpartFigures = `
  sumIf(toUInt256(counter_amount), ${counting}) AS counter_amount_sum,
  sumIf(toUInt256(amount), ${counting}) AS counted_amount,
  maxIf((event_time, event_id), ${counting}) AS last_counting`;

/** The table's type of the column: a UNION of rows and computed values must agree in the tuple's names. */
const counterpartsType = `Array(Tuple(asset String, counter_amount UInt256, amount UInt256, last_event_time DateTime(''UTC''),
    last_event_id FixedString(64)))`;

const noLeg = `(toDateTime(0, 'UTC'), toFixedString('', 64))`;
const sumOf = (field: 'x.2' | 'x.3') => `arraySum(x -> if(x.1 = counter, ${field}, toUInt256(0)), counting_legs)`;
const newest = `arrayMax(x -> if(x.1 = counter, (x.4, x.5), ${noLeg}), counting_legs)`;

/**
 * The counterparts of one bucket from its rows at once: a bucket holds hardly more than a leg, so that grouping per
 * counter asset first would cost more than all the rest.
 */
export const bucketCounterparts = `
  groupArrayIf((counter_asset, toUInt256(counter_amount), toUInt256(amount), event_time, event_id), ${counting}) AS counting_legs,
  CAST(arrayMap(counter -> (counter, ${sumOf('x.2')}, ${sumOf('x.3')}, ${newest}.1, ${newest}.2),
    arraySort(arrayDistinct(counting_legs.1))), '${counterpartsType}') AS counterparts`;

/** Merges rows of one pool, grouped per counter asset before, into one row. */
export const counterpartArray = `
  CAST(arraySort(groupArrayIf(
    (counter_asset, counter_amount_sum, counted_amount, last_counting.1, last_counting.2),
    counted_amount > 0)), '${counterpartsType}')`;

const marketMerged = `
  sum(transactions_buy), sum(transactions_sell),
  sum(volume_usd_buy), sum(volume_usd_sell), sum(volume_ton_buy), sum(volume_ton_sell),
  uniqExactMergeState(traders)`;

/** Merges figures of finer buckets, in the order of {@link figureColumns}; traders stay whole states. */
export const mergedFigures = {
  jetton: `${marketMerged}, uniqExactMergeState(traders_buy), uniqExactMergeState(traders_sell)`,
  pool: marketMerged,
};

const marketColumns = `transactions_buy, transactions_sell, volume_usd_buy, volume_usd_sell, volume_ton_buy, volume_ton_sell,
  traders`;

/** The rollup tables' columns between the key and the version, in the order of {@link tradeFigures}. */
export const figureColumns = { jetton: `${marketColumns}, traders_buy, traders_sell`, pool: marketColumns };
