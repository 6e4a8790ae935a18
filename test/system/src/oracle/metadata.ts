import { cleaned } from './clean-text.js';
import { isIntegral, readDecimal, scaled } from './exact.js';
import { amount, requireInteger, requireString } from './parse-message.js';
import { type MetadataMessage, newestOf, ownerOf } from './state-messages.js';

interface Link {
  readonly name: string;
  readonly url: string;
  readonly type: string;
}

/** What all messages about one jetton say together. */
export interface Metadata {
  readonly name: string;
  readonly symbol: string;
  readonly description: string | undefined;
  readonly image: string | undefined;
  readonly offchainImage: string | undefined;
  readonly offchainDescription: string | undefined;
  readonly links: readonly Link[];
  readonly admin: string | null;
  readonly offchainAdmin: string | null;
  readonly decimals: number | undefined;
  readonly mintable: boolean | null;
  /** Base64, as it came. */
  readonly codeHash: string | undefined;
  readonly totalSupply: bigint | undefined;
  /** Unix seconds, as the next two. */
  readonly createdAt: number | undefined;
  readonly earliestUpdate: number | undefined;
  readonly earliestRecord: number;
}

const linkTypes = new Set(['WEBSITE', 'TELEGRAM', 'X', 'GITHUB', 'DISCORD'].map((name) => `LINK_TYPE_${name}`));

const text = (member: string | undefined, codePointsMax: number): string =>
  member === undefined ? '' : cleaned(requireString(member), codePointsMax);
const known = (value: string): string | undefined => (value === '' ? undefined : value);

function decimalsOf(member: string | undefined): number | undefined {
  if (member === undefined) return undefined;
  const decimal = readDecimal(member.startsWith('"') ? requireString(member) : member);
  if (decimal === undefined || decimal.negative || !isIntegral(decimal) || decimal.exponent > 3n) return undefined;
  const value = scaled(decimal, 0n);
  return value <= 255n ? Number(value) : undefined;
}

function linksOf(member: string | undefined): Link[] {
  if (member === undefined) return [];
  return (JSON.parse(member) as Link[]).map(({ name, url, type }) => ({
    name: cleaned(name, 256),
    url: cleaned(url, 2_048),
    type: linkTypes.has(type) ? type : 'LINK_TYPE_UNSPECIFIED',
  }));
}

/** docs/feed.md, "Metadata". Undefined where there is no message. */
export function metadataOf(messages: readonly MetadataMessage[]): Metadata | undefined {
  const newest = newestOf(messages);
  if (newest === undefined) return undefined;
  const { member } = newest;
  /** Our own fields: each of the newest message that carries it. */
  const extension = (name: string) => newestOf(messages.filter((one) => one.member(name) !== undefined))?.member(name);
  const supply = extension('total_supply');
  const createdAt = extension('created_at');
  const codeHash = member('code_hash');
  const updates = messages.flatMap((message) => message.updates);
  return {
    name: text(member('name'), 256),
    symbol: text(member('symbol'), 64),
    description: known(text(member('description'), 4_096)),
    image: known(text(member('image'), 2_048) || text(member('tonapi_image_url'), 2_048)),
    offchainImage: known(text(extension('offchain_image'), 2_048)),
    offchainDescription: known(text(extension('offchain_description'), 4_096)),
    links: linksOf(extension('links')),
    admin: ownerOf(member('admin_address')),
    offchainAdmin: ownerOf(extension('admin_offchain_address')),
    decimals: decimalsOf(member('decimals')),
    mintable: member('mintable') === undefined ? null : member('mintable') === 'true',
    codeHash: codeHash === undefined ? undefined : requireString(codeHash),
    totalSupply: supply === undefined ? undefined : (amount(supply) ?? undefined),
    createdAt: createdAt === undefined ? undefined : Number(requireInteger(createdAt)),
    earliestUpdate: updates.length === 0 ? undefined : Math.min(...updates),
    earliestRecord: Math.min(...messages.map(({ recordMs }) => Math.floor(recordMs / 1_000))),
  };
}
