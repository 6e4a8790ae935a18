import type { Assets } from './assets.js';
import type { Fault } from './faults.js';
import { readAddress, readVolume } from './fields.js';
import { defaultFeedLimits, type FeedLimits, type FeedMessage, openMessage, recordTimeFault } from './open-message.js';
import type { OpenedMessage } from './open-message.js';
import type { ParsedState, StateMessage, StateOutcome } from './state.js';
import { readFlag, readRawUnits, readRequiredAddress, readSeconds, readUnchecked } from './state-fields.js';

/** A state of a pool; `order` is its last_updated. */
export interface PoolState extends StateMessage {
  /** Raw lower-case address. */
  readonly pool: string;
  /** '' where the message has none. */
  readonly project: string;
  readonly poolVersion: string;
  /** Unix seconds. */
  readonly discoveredAt: number | null;
  /** `ton` for native and its wrapped forms, any other raw and lower-case, '' where unknown. */
  readonly leftAsset: string;
  readonly rightAsset: string;
  /** Raw units, 0 ≤ a < 2^120. */
  readonly reservesLeft: bigint | null;
  readonly reservesRight: bigint | null;
  /** Shares of the pool; no figure uses them, so that a bad one is null and no fault. */
  readonly totalSupply: bigint | null;
  /** Plain decimal, 0 ≤ tvl < 10^18, at most 18 fractional digits. */
  readonly tvlUsd: string | null;
  readonly tvlTon: string | null;
  /** Unix seconds; 0 where the message has none. */
  readonly lastUpdated: number;
  /** Null counts as liquid. */
  readonly isLiquid: boolean | null;
  readonly lpFee: string | null;
  readonly protocolFee: string | null;
  readonly referralFee: string | null;
}

type PoolFields =
  | 'pool'
  | 'project'
  | 'version'
  | 'discovered_at'
  | 'jetton_left'
  | 'jetton_right'
  | 'reserves_left'
  | 'reserves_right'
  | 'total_supply'
  | 'tvl_usd'
  | 'tvl_ton'
  | 'last_updated'
  | 'is_liquid'
  | 'lp_fee'
  | 'protocol_fee'
  | 'referral_fee';

/**
 * Reads one record of the pools topic. Checks run as for trades, the fields in the feed's order and the record time last;
 * the first fault wins. Never throws, and takes time linear in the message.
 */
export function parsePoolMessage(
  message: FeedMessage,
  assets: Assets,
  limits: FeedLimits = defaultFeedLimits,
): StateOutcome<PoolState> {
  const opened = openMessage(message, limits);
  return opened.kind === 'object' ? readPool(opened, message.timestampMs, assets) : opened;
}

function readPool(opened: OpenedMessage, recordTimestampMs: number, assets: Assets): ParsedState<PoolState> | Fault {
  const { text, value } = opened;
  const raw: { readonly [field in PoolFields]?: unknown } = opened.raw;
  const pool = readRequiredAddress(raw.pool, 'pool');
  if (typeof pool !== 'string') return pool;
  const discoveredAt = readSeconds(raw.discovered_at, 'discovered_at', text);
  if (isFault(discoveredAt)) return discoveredAt;
  const left = readAddress(raw.jetton_left, 'jetton_left');
  if (typeof left !== 'string') return left;
  const right = readAddress(raw.jetton_right, 'jetton_right');
  if (typeof right !== 'string') return right;
  const reservesLeft = readRawUnits(raw.reserves_left, 'reserves_left', text);
  if (isFault(reservesLeft)) return reservesLeft;
  const reservesRight = readRawUnits(raw.reserves_right, 'reserves_right', text);
  if (isFault(reservesRight)) return reservesRight;
  const tvlUsd = readVolume(raw.tvl_usd, 'tvl_usd', text);
  if (typeof tvlUsd !== 'string') return tvlUsd;
  const tvlTon = readVolume(raw.tvl_ton, 'tvl_ton', text);
  if (typeof tvlTon !== 'string') return tvlTon;
  const lastUpdated = readSeconds(raw.last_updated, 'last_updated', text);
  if (isFault(lastUpdated)) return lastUpdated;
  const isLiquid = readFlag(raw.is_liquid, 'is_liquid');
  if (isFault(isLiquid)) return isLiquid;
  const timeFault = recordTimeFault(recordTimestampMs);
  if (timeFault !== undefined) return timeFault;

  const totalSupply = readRawUnits(raw.total_supply, 'total_supply', text);
  return {
    kind: 'state',
    state: {
      pool,
      project: typeof raw.project === 'string' ? raw.project.toWellFormed() : '',
      poolVersion: readUnchecked(raw.version, 'version', text) ?? '',
      discoveredAt,
      leftAsset: assets.unify(left),
      rightAsset: assets.unify(right),
      reservesLeft,
      reservesRight,
      totalSupply: isFault(totalSupply) ? null : totalSupply,
      tvlUsd: tvlUsd === '' ? null : tvlUsd,
      tvlTon: tvlTon === '' ? null : tvlTon,
      lastUpdated: lastUpdated ?? 0,
      isLiquid,
      lpFee: readUnchecked(raw.lp_fee, 'lp_fee', text),
      protocolFee: readUnchecked(raw.protocol_fee, 'protocol_fee', text),
      referralFee: readUnchecked(raw.referral_fee, 'referral_fee', text),
      order: BigInt(lastUpdated ?? 0),
      recordTimestampMs,
      value,
    },
  };
}

function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null;
}
