import type { Assets } from './assets.js';
import type { Fault } from './faults.js';
import { faultOf, missing, readAddress, readAmount, readHash, readInteger, readVolume } from './fields.js';
import { contentHashOf, contentOf, eventIdOf, rowVersion } from './identity.js';
import {
  defaultFeedLimits,
  earliestMs,
  type FeedLimits,
  type FeedMessage,
  openMessage,
  recordTimeFault,
  skips,
} from './open-message.js';
import type { TradeMessage, TradeOutcome } from './trade.js';
import { volumeTonOf, volumeUsdOf } from './valuation.js';

const earliestSeconds = earliestMs / 1000;
const aheadSecondsMax = 600;
const revisionMax = 2 ** 31 - 1;

type RawTrade = { readonly [field in keyof TradeMessage]?: unknown };

/**
 * Reads one record of the trades topic: a trade for the ledger, a skip to count, or a fault for the dead letters.
 * Checks run in the feed's order and the first fault wins. A retraction needs its identity only: amounts and volumes
 * come out null, trader and project ''. Never throws, and takes time linear in the message.
 */
export function parseTradeMessage(
  message: FeedMessage,
  assets: Assets,
  limits: FeedLimits = defaultFeedLimits,
): TradeOutcome {
  const opened = openMessage(message, limits);
  return opened.kind === 'object' ? readTrade(opened.raw, opened.text, message.timestampMs, assets) : opened;
}

function readTrade(raw: RawTrade, text: string, recordTimestampMs: number, assets: Assets): TradeOutcome {
  const eventType = raw.event_type;
  if (typeof eventType !== 'string') {
    return eventType === undefined || eventType === null
      ? missing('event_type')
      : faultOf('wrong_type', 'event_type', 'must be a string');
  }
  if (eventType !== 'trade') return eventType === 'launch' ? skips.launch : skips.other_event_type;

  const txHash = readHash(raw.tx_hash, 'tx_hash');
  if (typeof txHash !== 'string') return txHash;
  const eventTime = readEventTime(raw.event_time, text, recordTimestampMs);
  if (typeof eventTime !== 'number') return eventTime;

  const isRetraction = raw.deleted === true;
  const trader = isRetraction ? '' : readAddress(raw.trader_address, 'trader_address');
  if (typeof trader !== 'string') return trader;
  const pool = readAddress(raw.pool_address, 'pool_address');
  if (typeof pool !== 'string') return pool;
  const sold = readAddress(raw.token_sold_address, 'token_sold_address');
  if (typeof sold !== 'string') return sold;
  const bought = readAddress(raw.token_bought_address, 'token_bought_address');
  if (typeof bought !== 'string') return bought;

  const amountSold = isRetraction ? '' : readAmount(raw.amount_sold_raw, 'amount_sold_raw', text);
  if (typeof amountSold !== 'string') return amountSold;
  const amountBought = isRetraction ? '' : readAmount(raw.amount_bought_raw, 'amount_bought_raw', text);
  if (typeof amountBought !== 'string') return amountBought;
  const messageUsd = isRetraction ? '' : readVolume(raw.volume_usd, 'volume_usd', text);
  if (typeof messageUsd !== 'string') return messageUsd;
  const messageTon = isRetraction ? '' : readVolume(raw.volume_ton, 'volume_ton', text);
  if (typeof messageTon !== 'string') return messageTon;

  const revision = readRevision(raw.revision, text);
  if (typeof revision !== 'number') return revision;
  if (raw.deleted !== undefined && raw.deleted !== null && typeof raw.deleted !== 'boolean') {
    return faultOf('wrong_type', 'deleted', 'must be true, false or null');
  }
  const lateFault = recordTimeFault(recordTimestampMs);
  if (lateFault !== undefined) return lateFault;
  if (sold === '' || bought === '') return skips.null_token;

  const sides = { sold, bought, amountSold, amountBought };
  const volumeUsd = volumeUsdOf(sides, messageUsd, assets);
  const volumeTon = volumeTonOf(sides, messageTon, assets);
  // A lone surrogate cannot be stored; replaced here, what is hashed is what is stored.
  const project = !isRetraction && typeof raw.project === 'string' ? raw.project.toWellFormed() : '';
  const content = isRetraction ? '' : contentOf({ amountSold, amountBought, volumeUsd, volumeTon, trader, project });
  return {
    kind: 'trade',
    trade: {
      eventId: eventIdOf({ txHash, eventTime, pool, sold, bought }),
      txHash,
      eventTime,
      pool,
      sold,
      bought,
      amountSold: amountSold === '' ? null : BigInt(amountSold),
      amountBought: amountBought === '' ? null : BigInt(amountBought),
      volumeUsd: volumeUsd === '' ? null : volumeUsd,
      volumeTon: volumeTon === '' ? null : volumeTon,
      trader,
      project,
      revision,
      deleted: isRetraction,
      version: rowVersion(revision, isRetraction, recordTimestampMs, contentHashOf(content)),
      recordTimestampMs,
    },
  };
}

function readEventTime(value: unknown, text: string, recordTimestampMs: number): number | Fault {
  if (value === undefined || value === null) return missing('event_time');
  const seconds = readInteger(value, 'event_time', text);
  if (typeof seconds !== 'number') return seconds;
  if (seconds < earliestSeconds || seconds * 1000 > recordTimestampMs + aheadSecondsMax * 1000) {
    const detail = `must be of 2019 or later and at most ${aheadSecondsMax} s ahead of the record timestamp`;
    return faultOf('event_time_out_of_range', 'event_time', detail);
  }
  return seconds;
}

function readRevision(value: unknown, text: string): number | Fault {
  if (value === undefined || value === null) return 0;
  const revision = readInteger(value, 'revision', text);
  if (typeof revision !== 'number') return revision;
  return revision >= 0 && revision <= revisionMax
    ? revision
    : faultOf('revision_out_of_range', 'revision', `must be from 0 to ${revisionMax}`);
}
