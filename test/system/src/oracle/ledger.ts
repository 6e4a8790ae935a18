import { createHash } from 'node:crypto';
import type { Assets } from './assets.js';
import { plainText } from './exact.js';
import type { TradeMessage } from './parse-message.js';
import { valuationOf } from './valuation.js';

const join = (fields: readonly string[]): string => fields.join('\u001F');

/** SHA-256 of the identity, in hex. Messages with the same one speak of the same event. */
export function eventIdOf({ txHashHex, eventTime, pool, sold, bought }: TradeMessage): string {
  const identity = join([txHashHex, 'trade', String(eventTime), pool ?? '', sold, bought]);
  return createHash('sha256').update(identity).digest('hex');
}

const integer = (value: bigint | null) => (value === null ? '' : value.toString());
const decimal = (value: bigint | null) => (value === null ? '' : plainText(value, 18));

/**
 * First 8 bytes of SHA-256 of the content. Its volumes are those of the valuation, as the ledger holds them: equal
 * versions must mean equal rows (docs/adr/0002-ledger-and-versions.md), also after a change of the quote assets.
 */
export function contentHashOf(message: TradeMessage, assets: Assets): bigint {
  const { volumeUsd, volumeTon } = valuationOf(message, assets);
  const content = message.deleted
    ? ''
    : join([
        integer(message.amountSold),
        integer(message.amountBought),
        decimal(volumeUsd),
        decimal(volumeTon),
        message.trader ?? '',
        message.project ?? '',
      ]);
  return createHash('sha256').update(content).digest().readBigUInt64BE(0);
}

/** Whether a speaks louder than b: revision, then retraction, then record timestamp, then content hash. */
function supersedes(a: TradeMessage, b: TradeMessage, assets: Assets): boolean {
  if (a.revision !== b.revision) return a.revision > b.revision;
  if (a.deleted !== b.deleted) return a.deleted;
  if (a.recordMs !== b.recordMs) return a.recordMs > b.recordMs;
  return contentHashOf(a, assets) > contentHashOf(b, assets);
}

/** The message that holds for each event, by event id, whatever the order in which they came. */
export function winners(messages: Iterable<TradeMessage>, assets: Assets): Map<string, TradeMessage> {
  const ledger = new Map<string, TradeMessage>();
  for (const message of messages) {
    const id = eventIdOf(message);
    const known = ledger.get(id);
    if (known === undefined || supersedes(message, known, assets)) ledger.set(id, message);
  }
  return ledger;
}
