import { z } from 'zod';
import type { Assets } from '../src/assets.js';
import type { Fault, FaultReason, Skip } from '../src/faults.js';
import type { FeedMessage } from '../src/open-message.js';
import type { BalanceState } from '../src/parse-balance-message.js';
import type { MetadataState } from '../src/parse-metadata-message.js';
import type { PoolState } from '../src/parse-pool-message.js';
import {
  address,
  amount,
  exactOf,
  fault,
  faultOf,
  field,
  hash,
  integerFrom,
  isInteger,
  NumberText,
  openByReference,
  project,
  refuse,
  volume,
} from './reference.js';

/** The messages of the state topics as zod schemas: the feed's text once more, without the parsers' code. Tests only. */

type Outcome<State> = { readonly kind: 'state'; readonly state: Omit<State, 'value'> } | Skip | Fault;

const nativeRow: Skip = { kind: 'skip', reason: 'native_asset' };
const seconds = field<number | null>((value) => {
  if (value === null) return null;
  const exact = value instanceof NumberText ? exactOf(value.text) : undefined;
  if (exact === undefined || !isInteger(exact)) return refuse('wrong_type');
  const whole = exact.numerator / exact.denominator;
  return whole >= 0n && whole < 1n << 32n ? Number(whole) : refuse('event_time_out_of_range');
});
const requiredSeconds = integerFrom(0n, 2n ** 32n - 1n, refuse('missing_field'), 'event_time_out_of_range');
const flag = field<boolean | null>((value) =>
  value === null || typeof value === 'boolean' ? value : refuse('wrong_type'),
);

/** Wraps a reader so that null is missing. */
const required = <T>(inner: z.ZodType<T>) =>
  field<T>((value) => {
    if (value === null) return refuse('missing_field');
    const parsed = inner.safeParse(value);
    return parsed.success ? parsed.data : refuse(parsed.error.issues[0]?.message as FaultReason);
  });

const logicalTime = field<bigint>((value) => {
  if (value === null) return refuse('missing_field');
  const text = value instanceof NumberText ? value.text : value;
  const exact = typeof text === 'string' ? exactOf(text) : undefined;
  if (exact === undefined || !isInteger(exact)) return refuse('wrong_type');
  const whole = exact.numerator / exact.denominator;
  return whole >= 0n && whole < 1n << 64n ? whole : refuse('event_time_out_of_range');
});

/** Cleaned code point by code point. */
function cleaned(text: string, most: number): string {
  const kept: string[] = [];
  for (const point of text) {
    const code = point.codePointAt(0) ?? 0;
    const isLone = code >= 0xd800 && code <= 0xdfff;
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const turns = code === 0x200e || code === 0x200f || (code >= 0x202a && code <= 0x202e);
    const isolates = code >= 0x2066 && code <= 0x2069;
    if (!isControl && !turns && !isolates) kept.push(isLone ? '\ufffd' : point);
  }
  return kept.slice(0, most).join('').trim();
}

const text = (most: number) =>
  field<string>((value) =>
    value === null ? '' : typeof value === 'string' ? cleaned(value, most) : refuse('wrong_type'),
  );
const carriedText = (most: number) =>
  field<string | null>((value) =>
    value === null ? null : typeof value === 'string' ? cleaned(value, most) : refuse('wrong_type'),
  );
const owner = address.transform((raw) => (raw.split(':')[1] === '0'.repeat(64) ? '' : raw));
const decimals = field<number | null>((value) => {
  const written = value instanceof NumberText ? value.text : value;
  const exact = typeof written === 'string' ? exactOf(written) : undefined;
  if (exact === undefined || !isInteger(exact)) return null;
  const whole = exact.numerator / exact.denominator;
  return whole >= 0n && whole <= 255n ? Number(whole) : null;
});
const unchecked = field<string | null>((value) => {
  const written = value instanceof NumberText ? value.text : value;
  return typeof written === 'string' ? cleaned(written, 64) : null;
});
const lenientAmount = field<bigint | null>((value) => {
  const parsed = amount.safeParse(value);
  return parsed.success ? parsed.data : null;
});

const linkType = (given: string) => {
  const word = cleaned(given, 64)
    .toLowerCase()
    .replace(/^link_type_/, '');
  const known = {
    WEBSITE: ['website', 'site', 'web', 'homepage'],
    TELEGRAM: ['telegram', 'tg'],
    X: ['x', 'twitter'],
    GITHUB: ['github'],
    DISCORD: ['discord'],
  };
  const found = Object.entries(known).find(([, words]) => words.includes(word));
  return `LINK_TYPE_${found === undefined ? 'UNSPECIFIED' : found[0]}`;
};
const nullableText = z.string().nullable().default(null);
const linkEntry = z.object({ name: nullableText, url: nullableText, type: nullableText });
const isWeb = (url: string) => {
  try {
    return ['http:', 'https:'].includes(new URL(url).protocol) && /^[a-z]+:\/\//i.test(url);
  } catch {
    return false;
  }
};
const links = field((value) => {
  if (value === null) return null;
  const parsed = z.array(linkEntry).safeParse(value);
  if (!parsed.success || (value as unknown[]).some((entry) => entry instanceof NumberText)) return refuse('wrong_type');
  return parsed.data
    .map((link) => ({
      name: cleaned(link.name ?? '', 256),
      url: cleaned(link.url ?? '', 2_048),
      type: linkType(link.type ?? ''),
    }))
    .filter(({ url }) => isWeb(url))
    .slice(0, 32);
});

// The keys stand in the order of the checks, and zod reports issues in the order of the keys.
const poolFields = z.object({
  pool: required(address),
  discovered_at: seconds,
  jetton_left: address,
  jetton_right: address,
  reserves_left: amount,
  reserves_right: amount,
  tvl_usd: volume,
  tvl_ton: volume,
  last_updated: seconds,
  is_liquid: flag,
  project,
  version: unchecked,
  total_supply: lenientAmount,
  lp_fee: unchecked,
  protocol_fee: unchecked,
  referral_fee: unchecked,
});
const balanceFields = z.object({
  address: required(address),
  asset: required(address),
  amount: required(amount.transform((value) => value ?? 0n)),
  timestamp: requiredSeconds,
  lt: logicalTime,
});
const metadataFields = z.object({
  address: required(address),
  update_time_onchain: seconds,
  update_time_metadata: seconds,
  mintable: flag,
  admin_address: owner,
  code_hash: field((value) => {
    const parsed = hash.safeParse(value);
    if (value === null) return '';
    return parsed.success ? parsed.data : refuse(parsed.error.issues[0]?.message as FaultReason);
  }),
  symbol: text(64),
  name: text(256),
  description: text(4_096),
  image: text(2_048),
  tonapi_image_url: text(2_048),
  decimals,
  total_supply: amount,
  offchain_image: carriedText(2_048),
  offchain_description: carriedText(4_096),
  admin_offchain_address: owner,
  links,
  created_at: seconds,
});

function recordFault(timestampMs: number): Fault | undefined {
  return timestampMs >= 1_546_300_800_000 && timestampMs < 4_102_444_800_000
    ? undefined
    : fault('record_time_out_of_range');
}

export function poolByReference(message: FeedMessage, assets: Assets): Outcome<PoolState> {
  const opened = openByReference(message);
  if ('kind' in opened) return opened;
  const { success, data, error } = poolFields.safeParse(opened.fields);
  if (!success) return faultOf(error);
  const late = recordFault(message.timestampMs);
  if (late !== undefined) return late;
  return {
    kind: 'state',
    state: {
      pool: data.pool,
      project: data.project,
      poolVersion: data.version ?? '',
      discoveredAt: data.discovered_at,
      leftAsset: assets.native.has(data.jetton_left) ? 'ton' : data.jetton_left,
      rightAsset: assets.native.has(data.jetton_right) ? 'ton' : data.jetton_right,
      reservesLeft: data.reserves_left,
      reservesRight: data.reserves_right,
      totalSupply: data.total_supply,
      tvlUsd: data.tvl_usd,
      tvlTon: data.tvl_ton,
      lastUpdated: data.last_updated ?? 0,
      isLiquid: data.is_liquid,
      lpFee: data.lp_fee,
      protocolFee: data.protocol_fee,
      referralFee: data.referral_fee,
      order: BigInt(data.last_updated ?? 0),
      recordTimestampMs: message.timestampMs,
    },
  };
}

export function balanceByReference(message: FeedMessage, assets: Assets): Outcome<BalanceState> {
  const opened = openByReference(message);
  if ('kind' in opened) return opened;
  if (opened.fields['asset'] === 'TON') return nativeRow;
  const asset = address.safeParse(opened.fields['asset']);
  const owned = balanceFields.shape.address.safeParse(opened.fields['address']);
  if (owned.success && asset.success && assets.native.has(asset.data)) return nativeRow;
  const { success, data, error } = balanceFields.safeParse(opened.fields);
  if (!success) return faultOf(error);
  const late = recordFault(message.timestampMs);
  if (late !== undefined) return late;
  return {
    kind: 'state',
    state: {
      owner: data.address,
      asset: data.asset,
      shard: Number.parseInt(data.address.split(':')[1]?.[0] ?? '', 16),
      amount: data.amount,
      lt: data.lt,
      timestamp: data.timestamp,
      order: data.lt,
      recordTimestampMs: message.timestampMs,
    },
  };
}

export function metadataByReference(message: FeedMessage, assets: Assets): Outcome<MetadataState> {
  const opened = openByReference(message);
  if ('kind' in opened) return opened;
  const { success, data, error } = metadataFields.safeParse(opened.fields);
  if (!success) return faultOf(error);
  const late = recordFault(message.timestampMs);
  if (late !== undefined) return late;
  if (assets.native.has(data.address)) return nativeRow;
  const { update_time_onchain: onchain, update_time_metadata: metadata } = data;
  const times = [onchain, metadata].filter((time): time is number => time !== null && time !== 0);
  return {
    kind: 'state',
    state: {
      address: data.address,
      fields: {
        name: data.name,
        symbol: data.symbol,
        description: data.description,
        image: data.image || data.tonapi_image_url,
        decimals: data.decimals,
        mintable: data.mintable,
        admin: data.admin_address,
        codeHash: data.code_hash,
      },
      extensions: {
        totalSupply: data.total_supply,
        offchainImage: data.offchain_image,
        offchainDescription: data.offchain_description,
        adminOffchainAddress:
          (opened.fields['admin_offchain_address'] ?? null) === null ? null : data.admin_offchain_address,
        links: data.links as MetadataState['extensions']['links'],
        createdAt: data.created_at,
      },
      earliestUpdate: times.length === 0 ? null : Math.min(...times),
      order: BigInt(Math.max(onchain ?? 0, metadata ?? 0)),
      recordTimestampMs: message.timestampMs,
    },
  };
}
