import { readDecimal, isIntegral, scaled } from './exact.js';
import {
  address,
  amount,
  Bad,
  decode,
  type FeedRecord,
  requireInteger,
  requireString,
  volume,
} from './parse-message.js';

/** What orders the messages of one key: the newest counts. */
interface Ordered {
  readonly order: bigint;
  readonly recordMs: number;
  readonly value: Buffer;
}

export interface PoolMessage extends Ordered {
  readonly key: string;
  readonly project: string;
  /** Unix seconds, 0 where unknown. */
  readonly discoveredAt: number;
  readonly left: string | null;
  readonly right: string | null;
  readonly reservesLeft: bigint | null;
  readonly reservesRight: bigint | null;
  /** × 10^18. */
  readonly tvlUsd: bigint | null;
  readonly tvlTon: bigint | null;
  readonly isLiquid: boolean | null;
  readonly lastUpdated: number;
}

export interface BalanceMessage extends Ordered {
  /** Asset and owner. */
  readonly key: string;
  readonly asset: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly timestamp: number;
}

/** Members by name with the text of their values; null where absent or null. */
type Members = (name: string) => string | undefined;

export interface MetadataMessage extends Ordered {
  readonly key: string;
  readonly member: Members;
  /** Its update times, Unix seconds. */
  readonly updates: readonly number[];
}

const zeroAccount = /:0{64}$/;

/** An owner's or administrator's address: the zero address is nobody. */
export function ownerOf(member: string | undefined): string | null {
  const owner = address(member);
  return owner === null || zeroAccount.test(owner) ? null : owner;
}

const seconds = (member: string | undefined): number => (member === undefined ? 0 : Number(requireInteger(member)));
const flag = (member: string | undefined): boolean | null => (member === undefined ? null : member === 'true');

function requiredAddress(member: string | undefined): string {
  requireString(member);
  return address(member) ?? '';
}

/** Reads one record with `read`; undefined for a tombstone and for a bad message. */
function reading<Message>(
  { value, recordMs }: FeedRecord,
  read: (member: Members, value: Buffer, recordMs: number) => Message,
): Message | undefined {
  if (value === null) return undefined;
  try {
    const members = decode(value);
    const member = (name: string) => (members.get(name) === 'null' ? undefined : members.get(name));
    return read(member, value, recordMs);
  } catch (error) {
    if (error instanceof Bad) return undefined;
    throw error;
  }
}

export const poolMessage = (record: FeedRecord): PoolMessage | undefined =>
  reading(record, (member, value, recordMs) => {
    const lastUpdated = seconds(member('last_updated'));
    const project = member('project');
    return {
      key: requiredAddress(member('pool')),
      project: project?.startsWith('"') === true ? requireString(project) : '',
      discoveredAt: seconds(member('discovered_at')),
      left: address(member('jetton_left')),
      right: address(member('jetton_right')),
      reservesLeft: amount(member('reserves_left')),
      reservesRight: amount(member('reserves_right')),
      tvlUsd: volume(member('tvl_usd')),
      tvlTon: volume(member('tvl_ton')),
      isLiquid: flag(member('is_liquid')),
      lastUpdated,
      order: BigInt(lastUpdated),
      recordMs,
      value,
    };
  });

/** A row of the chain's own coin gives undefined too. */
export const balanceMessage = (record: FeedRecord): BalanceMessage | undefined =>
  reading(record, (member, value, recordMs) => {
    if (member('asset') === '"TON"') return undefined;
    const owner = requiredAddress(member('address'));
    const asset = requiredAddress(member('asset'));
    const raw = amount(member('amount'));
    if (raw === null) throw new Bad('missing_field');
    const lt = member('lt') ?? '';
    const parsed = readDecimal(lt.startsWith('"') ? requireString(lt) : lt);
    if (parsed === undefined || !isIntegral(parsed)) throw new Bad('wrong_type');
    const timestamp = Number(requireInteger(member('timestamp')));
    return {
      key: `${asset} ${owner}`,
      asset,
      owner,
      amount: raw,
      timestamp,
      order: scaled(parsed, 0n),
      recordMs,
      value,
    };
  });

export const metadataMessage = (record: FeedRecord): MetadataMessage | undefined =>
  reading(record, (member, value, recordMs) => {
    const updates = ['update_time_onchain', 'update_time_metadata'].map((name) => seconds(member(name)));
    // Faults of the fields that are looked at later on.
    const key = requiredAddress(member('address'));
    amount(member('total_supply'));
    const order = BigInt(Math.max(0, ...updates));
    return { key, member, updates: updates.filter((time) => time > 0), order, recordMs, value };
  });

/** Whether a is newer than b: order, then record time, then bytes. */
function isNewer(a: Ordered, b: Ordered): boolean {
  if (a.order !== b.order) return a.order > b.order;
  if (a.recordMs !== b.recordMs) return a.recordMs > b.recordMs;
  return Buffer.compare(a.value, b.value) > 0;
}

export const newestOf = <Message extends Ordered>(messages: readonly Message[]): Message | undefined =>
  messages.reduce<Message | undefined>(
    (newest, message) => (newest === undefined || isNewer(message, newest) ? message : newest),
    undefined,
  );

export function byKey<Message extends { readonly key: string }>(
  messages: readonly (Message | undefined)[],
): Map<string, Message[]> {
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    if (message === undefined) continue;
    const group = groups.get(message.key);
    if (group === undefined) groups.set(message.key, [message]);
    else group.push(message);
  }
  return groups;
}
