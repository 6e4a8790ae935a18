import { hash } from 'node:crypto';

const separator = '\u001f';
const contentHashHexDigits = 16;

/** What makes two messages the same event. Addresses raw and lower-case, wrapped forms not unified, '' for null. */
export interface Identity {
  /** 64 lower-case hex digits. */
  readonly txHash: string;
  /** Unix seconds. */
  readonly eventTime: number;
  readonly pool: string;
  readonly sold: string;
  readonly bought: string;
}

/** SHA-256, as 64 lower-case hex digits, of the identity's fields in the feed's order, joined by U+001F. */
export function eventIdOf({ txHash, eventTime, pool, sold, bought }: Identity): string {
  return hash('sha256', [txHash, 'trade', eventTime, pool, sold, bought].join(separator), 'hex');
}

/** Amounts as plain digits, volumes as plain decimals without trailing zeros; '' is null throughout. */
export interface Content {
  readonly amountSold: string;
  readonly amountBought: string;
  readonly volumeUsd: string;
  readonly volumeTon: string;
  readonly trader: string;
  readonly project: string;
}

/**
 * The canonical text of what a message says about its event, joined by U+001F. The volumes are those the ledger stores,
 * after rounding and valuation: so equal versions mean equal rows also where a message is read again under other
 * quote assets, and a message that differs only in a volume that valuation replaces is a repeat.
 */
export function contentOf({ amountSold, amountBought, volumeUsd, volumeTon, trader, project }: Content): string {
  return [amountSold, amountBought, volumeUsd, volumeTon, trader, project].join(separator);
}

/** First 8 bytes of the SHA-256 of a content as 16 hex digits, that is as a big-endian integer. '' for a retraction. */
export function contentHashOf(content: string): string {
  return hash('sha256', content, 'hex').slice(0, contentHashHexDigits);
}

/**
 * The UInt256 by which a ledger row replaces another of its key:
 * (revision × 2 + deleted) << 112 | record timestamp in ms (48 bits) << 64 | first 64 bits of the content's hash.
 * A higher revision wins, then a retraction, then the later record, then the greater hash; equal means equal content.
 * `contentHash` is of 16 hex digits; throws a RangeError where the timestamp does not fit in 48 bits.
 */
export function rowVersion(revision: number, deleted: boolean, recordTimestampMs: number, contentHash: string): bigint {
  if (!(recordTimestampMs >= 0 && recordTimestampMs < 2 ** 48)) {
    throw new RangeError('rowVersion: the record timestamp must fit in 48 bits');
  }
  const order = BigInt(revision * 2 + (deleted ? 1 : 0));
  return (order << 112n) | (BigInt(recordTimestampMs) << 64n) | BigInt(`0x${contentHash}`);
}
