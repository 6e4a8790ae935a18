import type { Assets } from './assets.js';
import type { Fault, Skip } from './faults.js';
import { missing } from './fields.js';
import {
  defaultFeedLimits,
  type FeedLimits,
  type FeedMessage,
  type OpenedMessage,
  openMessage,
  recordTimeFault,
  skips,
} from './open-message.js';
import type { ParsedState, StateMessage, StateOutcome } from './state.js';
import { readLogicalTime, readRawUnits, readRequiredAddress, readSeconds } from './state-fields.js';

/** A balance of an owner; `order` is its lt. */
export interface BalanceState extends StateMessage {
  /** Raw lower-case addresses. */
  readonly owner: string;
  readonly asset: string;
  /** First hex digit of the owner's account id: 0 to 15. */
  readonly shard: number;
  /** Raw units, 0 ≤ a < 2^120. */
  readonly amount: bigint;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly timestamp: number;
}

type BalanceFields = 'address' | 'asset' | 'amount' | 'timestamp' | 'lt';

/** What the feed writes for the chain's own coin. */
const coin = 'TON';

/**
 * Reads one record of the balances topic. A row of the chain's own coin is skipped unchecked; so is one of a wrapped form
 * as soon as its asset is known. Never throws, and takes time linear in the message.
 */
export function parseBalanceMessage(
  message: FeedMessage,
  assets: Assets,
  limits: FeedLimits = defaultFeedLimits,
): StateOutcome<BalanceState> {
  const opened = openMessage(message, limits);
  return opened.kind === 'object' ? readBalance(opened, message.timestampMs, assets) : opened;
}

function readBalance(
  opened: OpenedMessage,
  recordTimestampMs: number,
  assets: Assets,
): ParsedState<BalanceState> | Skip | Fault {
  const { text, value } = opened;
  const raw: { readonly [field in BalanceFields]?: unknown } = opened.raw;
  if (raw.asset === coin) return skips.native_asset;
  const owner = readRequiredAddress(raw.address, 'address');
  if (typeof owner !== 'string') return owner;
  const asset = readRequiredAddress(raw.asset, 'asset');
  if (typeof asset !== 'string') return asset;
  if (assets.isNative(asset)) return skips.native_asset;
  const amount = readRawUnits(raw.amount, 'amount', text);
  if (amount === null) return missing('amount');
  if (typeof amount !== 'bigint') return amount;
  const timestamp = readSeconds(raw.timestamp, 'timestamp', text);
  if (timestamp === null) return missing('timestamp');
  if (typeof timestamp !== 'number') return timestamp;
  const lt = readLogicalTime(raw.lt, 'lt', text);
  if (typeof lt !== 'bigint') return lt;
  const timeFault = recordTimeFault(recordTimestampMs);
  if (timeFault !== undefined) return timeFault;
  const shard = Number.parseInt(owner.charAt(owner.indexOf(':') + 1), 16);
  return {
    kind: 'state',
    state: { owner, asset, shard, amount, lt, timestamp, order: lt, recordTimestampMs, value },
  };
}
