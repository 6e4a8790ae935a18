import { rawAddress } from './addresses.js';
import { isIntegral, reachesPowerOfTen, readDecimal, scaled, type Decimal } from './exact.js';
import { jsonMembers } from './json-members.js';

/** One Kafka record: its value (null: tombstone) and its timestamp in milliseconds. */
export interface FeedRecord {
  readonly value: Buffer | null;
  readonly recordMs: number;
}

/** A message with event_type trade and both tokens, as it is written; addresses lower-case raw, volumes × 10^18. */
export interface TradeMessage {
  readonly txHashHex: string;
  readonly eventTime: number;
  readonly pool: string | null;
  readonly sold: string;
  readonly bought: string;
  readonly revision: bigint;
  readonly deleted: boolean;
  /** Of a retraction the next six are null: they are not looked at. */
  readonly trader: string | null;
  readonly amountSold: bigint | null;
  readonly amountBought: bigint | null;
  readonly volumeUsd: bigint | null;
  readonly volumeTon: bigint | null;
  readonly project: string | null;
  readonly recordMs: number;
}

export type Reading =
  | { readonly kind: 'accepted'; readonly message: TradeMessage }
  | { readonly kind: 'skipped'; readonly because: 'tombstone' | 'event_type' | 'null_token' }
  | { readonly kind: 'bad'; readonly reason: string };

/** Thrown by the checks below, caught by whoever reads a message: the first fault met, in docs/feed.md's order, is the message's. */
export class Bad extends Error {}

const year2019 = 1_546_300_800n;
const bytesMax = 1024 * 1024;

/** The text of a value, undefined where it is absent or null. */
export type Member = string | undefined;

export function requireString(member: Member): string {
  if (member === undefined) throw new Bad('missing_field');
  if (!member.startsWith('"')) throw new Bad('wrong_type');
  return JSON.parse(member) as string;
}

export function requireInteger(member: Member): bigint {
  if (member === undefined) throw new Bad('missing_field');
  if (!/^-?\d+$/.test(member)) throw new Bad('wrong_type');
  return BigInt(member);
}

function txHash(member: Member): string {
  const text = requireString(member);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32 || bytes.toString('base64') !== text) throw new Bad('malformed_hash');
  return bytes.toString('hex');
}

function eventTimeOf(member: Member, recordMs: number): bigint {
  const seconds = requireInteger(member);
  if (seconds < year2019 || seconds * 1000n > BigInt(recordMs) + 600_000n) throw new Bad('event_time_out_of_range');
  return seconds;
}

export function address(member: Member): string | null {
  if (member === undefined) return null;
  const parsed = rawAddress(requireString(member));
  if (parsed === undefined) throw new Bad('malformed_address');
  return parsed;
}

function number(member: Member): Decimal | null {
  if (member === undefined) return null;
  const quoted = member.startsWith('"');
  const text = quoted ? (JSON.parse(member) as string) : member;
  if (quoted && /^[+-]?(nan|inf|infinity)$/i.test(text)) throw new Bad('not_finite');
  const parsed = readDecimal(text);
  if (parsed === undefined) throw new Bad('wrong_type');
  return parsed;
}

export function amount(member: Member): bigint | null {
  const parsed = number(member);
  if (parsed === null) return null;
  if (!isIntegral(parsed)) throw new Bad('wrong_type');
  if (parsed.negative || reachesPowerOfTen(parsed, 37n)) throw new Bad('amount_out_of_range'); // 10^37 > 2^120
  const value = scaled(parsed, 0n);
  if (value >= 2n ** 120n) throw new Bad('amount_out_of_range');
  return value;
}

export function volume(member: Member): bigint | null {
  const parsed = number(member);
  if (parsed === null) return null;
  if (parsed.negative || reachesPowerOfTen(parsed, 18n)) throw new Bad('volume_out_of_range');
  return scaled(parsed, 18n);
}

function revisionOf(member: Member): bigint {
  if (member === undefined) return 0n;
  const value = requireInteger(member);
  if (value < 0n || value >= 2n ** 31n) throw new Bad('revision_out_of_range');
  return value;
}

export function decode(value: Buffer): Map<string, string> {
  if (value.length > bytesMax) throw new Bad('too_large');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    throw new Bad('not_utf8');
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Bad('not_json');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Bad('not_object');
  return jsonMembers(text);
}

function check(value: Buffer, recordMs: number): Reading {
  const members = decode(value);
  const member = (name: string): Member => {
    const text = members.get(name);
    return text === 'null' ? undefined : text;
  };

  if (requireString(member('event_type')) !== 'trade') return { kind: 'skipped', because: 'event_type' };
  const txHashHex = txHash(member('tx_hash'));
  const eventTime = Number(eventTimeOf(member('event_time'), recordMs));

  const retracts = member('deleted') === 'true';
  const trader = retracts ? null : address(member('trader_address'));
  const pool = address(member('pool_address'));
  const sold = address(member('token_sold_address'));
  const bought = address(member('token_bought_address'));
  const amountSold = retracts ? null : amount(member('amount_sold_raw'));
  const amountBought = retracts ? null : amount(member('amount_bought_raw'));
  const volumeUsd = retracts ? null : volume(member('volume_usd'));
  const volumeTon = retracts ? null : volume(member('volume_ton'));
  const revision = revisionOf(member('revision'));
  const deleted = member('deleted') ?? 'false';
  if (deleted !== 'true' && deleted !== 'false') throw new Bad('wrong_type');
  if (BigInt(recordMs) < year2019 * 1000n) throw new Bad('record_time_out_of_range');

  if (sold === null || bought === null) return { kind: 'skipped', because: 'null_token' };
  const projectText = member('project');
  const project = projectText?.startsWith('"') === true && !retracts ? (JSON.parse(projectText) as string) : null;
  const identity = { txHashHex, eventTime, pool, sold, bought };
  const content = { trader, amountSold, amountBought, volumeUsd, volumeTon, project };
  return { kind: 'accepted', message: { ...identity, ...content, revision, deleted: retracts, recordMs } };
}

/** What docs/feed.md makes of one record of the trades topic. */
export function parseMessage({ value, recordMs }: FeedRecord): Reading {
  if (value === null) return { kind: 'skipped', because: 'tombstone' };
  try {
    return check(value, recordMs);
  } catch (error) {
    if (error instanceof Bad) return { kind: 'bad', reason: error.message };
    throw error;
  }
}
