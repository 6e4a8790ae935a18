/**
 * The SQL that turns ledger rows into a bucket's figures, in one place: minutes, and the partial minutes that windows
 * and prices cut, must count alike. Reads one row per leg (FINAL). Rows that are no trade stay in the scan, since they
 * carry their part of the bucket's version.
 */

const trade = 'is_trade = 1';
const known = `${trade} AND trader != ''`;

/** Counts, volumes and whole states of traders. */
export const tradeFigures = `
  countIf(${trade} AND side = 'buy') AS transactions_buy,
  countIf(${trade} AND side = 'sell') AS transactions_sell,
  sumIf(ifNull(volume_usd, 0), ${trade} AND side = 'buy') AS volume_usd_buy,
  sumIf(ifNull(volume_usd, 0), ${trade} AND side = 'sell') AS volume_usd_sell,
  sumIf(ifNull(volume_ton, 0), ${trade} AND side = 'buy') AS volume_ton_buy,
  sumIf(ifNull(volume_ton, 0), ${trade} AND side = 'sell') AS volume_ton_sell,
  uniqExactStateIf(trader, ${known}) AS traders,
  uniqExactStateIf(trader, ${known} AND side = 'buy') AS traders_buy,
  uniqExactStateIf(trader, ${known} AND side = 'sell') AS traders_sell`;

// A leg sets a price when its other side is a quote asset and the trade is known to be worth enough, where the least may
// be 0 (statistics.md, Price of a jetton).
const priced = `${trade} AND counter_asset IN {quoteAssets: Array(String)}
    AND ifNull(volume_usd, -1) >= {priceMinTradeUsd: Decimal(76, 18)}`;

/** Inputs of a jetton's price, per currency. */
export const priceFigures = `
  sumIf(assumeNotNull(volume_ton), ${priced} AND ifNull(volume_ton, 0) > 0) AS price_volume_ton,
  sumIf(toUInt256(amount), ${priced} AND ifNull(volume_ton, 0) > 0) AS price_amount_ton,
  sumIf(assumeNotNull(volume_usd), ${priced} AND ifNull(volume_usd, 0) > 0) AS price_volume_usd,
  sumIf(toUInt256(amount), ${priced} AND ifNull(volume_usd, 0) > 0) AS price_amount_usd`;

// The size test of a market's counterpart price (statistics.md, Market statistics).
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

/** Merges rows of one pool, grouped per counter asset before, into one row. */
export const counterpartArray = `
  CAST(arraySort(groupArrayIf(
    (counter_asset, counter_amount_sum, counted_amount, last_counting.1, last_counting.2),
    counted_amount > 0)), '${counterpartsType}')`;

/** Merges figures of finer buckets, in the order of the rollup tables' columns; traders stay whole states. */
export const mergedFigures = `
  sum(transactions_buy), sum(transactions_sell),
  sum(volume_usd_buy), sum(volume_usd_sell), sum(volume_ton_buy), sum(volume_ton_sell),
  uniqExactMergeState(traders), uniqExactMergeState(traders_buy), uniqExactMergeState(traders_sell)`;

/** The rollup tables' columns between the key and the version, in the order of {@link mergedFigures}. */
export const figureColumns = `transactions_buy, transactions_sell, volume_usd_buy, volume_usd_sell, volume_ton_buy,
  volume_ton_sell, traders, traders_buy, traders_sell`;
