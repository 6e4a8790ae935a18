import type { Assets } from './assets.js';
import { textLengthMax } from './clean-text.js';
import type { Fault, Skip } from './faults.js';
import { type FeedLink, readLinks } from './links.js';
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
import {
  readDecimals,
  readFlag,
  readOptionalHash,
  readOwner,
  readRawUnits,
  readRequiredAddress,
  readSeconds,
  readText,
} from './state-fields.js';

/** The feed's own fields: the newest message replaces all of them. Strings are cleaned, '' is unknown. */
export interface MetadataFields {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  /** `image`, else `tonapi_image_url`. */
  readonly image: string;
  /** 0 to 255. */
  readonly decimals: number | null;
  readonly mintable: boolean | null;
  /** Raw lower-case address, '' for none. */
  readonly admin: string;
  /** 64 lower-case hex digits, '' where unknown. */
  readonly codeHash: string;
}

/** Our extensions: each is kept from the newest message that carries it, so what is not carried is null. */
export interface MetadataExtensions {
  /** Raw units, 0 ≤ a < 2^120. */
  readonly totalSupply: bigint | null;
  readonly offchainImage: string | null;
  readonly offchainDescription: string | null;
  /** Raw lower-case address, '' for none. */
  readonly adminOffchainAddress: string | null;
  readonly links: readonly FeedLink[] | null;
  /** Unix seconds. */
  readonly createdAt: number | null;
}

/** A message of the metadata topic; `order` is the greater one of its update times. */
export interface MetadataState extends StateMessage {
  /** Raw lower-case address of the jetton. */
  readonly address: string;
  readonly fields: MetadataFields;
  readonly extensions: MetadataExtensions;
  /** The lesser one of its update times, Unix seconds; null where it has none. A time of 0 is none. */
  readonly earliestUpdate: number | null;
}

type MetadataFieldNames =
  | 'address'
  | 'update_time_onchain'
  | 'update_time_metadata'
  | 'mintable'
  | 'admin_address'
  | 'code_hash'
  | 'symbol'
  | 'name'
  | 'description'
  | 'image'
  | 'decimals'
  | 'tonapi_image_url'
  | 'total_supply'
  | 'offchain_image'
  | 'offchain_description'
  | 'admin_offchain_address'
  | 'links'
  | 'created_at';

type RawMetadata = { readonly [field in MetadataFieldNames]?: unknown };

/**
 * Reads one record of the metadata topic. Messages of native and its wrapped forms are skipped once they are valid: they
 * are no jettons. Never throws, and takes time linear in the message.
 */
export function parseMetadataMessage(
  message: FeedMessage,
  assets: Assets,
  limits: FeedLimits = defaultFeedLimits,
): StateOutcome<MetadataState> {
  const opened = openMessage(message, limits);
  return opened.kind === 'object' ? readMetadata(opened, message.timestampMs, assets) : opened;
}

function readMetadata(
  { raw, text, value }: OpenedMessage,
  recordTimestampMs: number,
  assets: Assets,
): ParsedState<MetadataState> | Skip | Fault {
  const found: RawMetadata = raw;
  const address = readRequiredAddress(found.address, 'address');
  if (typeof address !== 'string') return address;
  const onchain = readSeconds(found.update_time_onchain, 'update_time_onchain', text);
  if (isFault(onchain)) return onchain;
  const metadata = readSeconds(found.update_time_metadata, 'update_time_metadata', text);
  if (isFault(metadata)) return metadata;
  const fields = readFields(found, text);
  if ('kind' in fields) return fields;
  const extensions = readExtensions(found, text);
  if ('kind' in extensions) return extensions;
  const timeFault = recordTimeFault(recordTimestampMs);
  if (timeFault !== undefined) return timeFault;
  if (assets.isNative(address)) return skips.native_asset;
  const times = [onchain, metadata].filter((time) => time !== null && time > 0) as number[];
  return {
    kind: 'state',
    state: {
      address,
      fields,
      extensions,
      earliestUpdate: times.length === 0 ? null : Math.min(...times),
      order: BigInt(Math.max(0, ...times)),
      recordTimestampMs,
      value,
    },
  };
}

function readFields(raw: RawMetadata, text: string): MetadataFields | Fault {
  const mintable = readFlag(raw.mintable, 'mintable');
  if (isFault(mintable)) return mintable;
  const admin = readOwner(raw.admin_address, 'admin_address');
  if (typeof admin !== 'string') return admin;
  const codeHash = readOptionalHash(raw.code_hash, 'code_hash');
  if (typeof codeHash !== 'string') return codeHash;
  const symbol = readText(raw.symbol, 'symbol', textLengthMax.symbol);
  if (typeof symbol !== 'string') return symbol;
  const name = readText(raw.name, 'name', textLengthMax.name);
  if (typeof name !== 'string') return name;
  const description = readText(raw.description, 'description', textLengthMax.description);
  if (typeof description !== 'string') return description;
  const image = readText(raw.image, 'image', textLengthMax.url);
  if (typeof image !== 'string') return image;
  const cached = readText(raw.tonapi_image_url, 'tonapi_image_url', textLengthMax.url);
  if (typeof cached !== 'string') return cached;
  const decimals = readDecimals(raw.decimals, 'decimals', text);
  return { name, symbol, description, image: image === '' ? cached : image, decimals, mintable, admin, codeHash };
}

function readExtensions(raw: RawMetadata, text: string): MetadataExtensions | Fault {
  const totalSupply = readRawUnits(raw.total_supply, 'total_supply', text);
  if (isFault(totalSupply)) return totalSupply;
  const offchainImage = readText(raw.offchain_image, 'offchain_image', textLengthMax.url);
  if (typeof offchainImage !== 'string') return offchainImage;
  const offchainDescription = readText(raw.offchain_description, 'offchain_description', textLengthMax.description);
  if (typeof offchainDescription !== 'string') return offchainDescription;
  const adminOffchainAddress = readOwner(raw.admin_offchain_address, 'admin_offchain_address');
  if (typeof adminOffchainAddress !== 'string') return adminOffchainAddress;
  const links = readLinks(raw.links);
  if (links !== null && 'kind' in links) return links;
  const createdAt = readSeconds(raw.created_at, 'created_at', text);
  if (isFault(createdAt)) return createdAt;
  return {
    totalSupply,
    offchainImage: isCarried(raw.offchain_image) ? offchainImage : null,
    offchainDescription: isCarried(raw.offchain_description) ? offchainDescription : null,
    adminOffchainAddress: isCarried(raw.admin_offchain_address) ? adminOffchainAddress : null,
    links,
    createdAt,
  };
}

const isCarried = (value: unknown) => value !== undefined && value !== null;

function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null;
}
