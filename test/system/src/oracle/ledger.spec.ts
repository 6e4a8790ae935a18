import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defaultAssets } from './assets.js';
import { contentHashOf, eventIdOf, winners } from './ledger.js';
import { parseMessage, type TradeMessage } from './parse-message.js';
import { jettonA, newYear, pool1, ton, trade, wallet1, wrappedTon, type Fields } from './sample-trades.js';

function message(overrides: Fields = {}, delayMs = 1000): TradeMessage {
  const reading = parseMessage(trade(overrides, newYear * 1000 + delayMs));
  if (reading.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(reading)}`);
  return reading.message;
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hash = (overrides: Fields) => contentHashOf(message(overrides), defaultAssets);
const winnerOf = (...messages: TradeMessage[]) => [...winners(messages, defaultAssets).values()];

describe('the oracle’s ledger', () => {
  it('identifies an event by hash, type, time, pool and tokens as written, null as empty', () => {
    const fields = ['01'.repeat(32), 'trade', `${newYear}`, pool1, ton, jettonA].map((field) => field.toLowerCase());
    expect(eventIdOf(message())).toBe(sha256(fields.join('\u001F')));
    fields[3] = '';
    expect(eventIdOf(message({ pool_address: null }))).toBe(sha256(fields.join('\u001F')));
    expect(eventIdOf(message({ token_sold_address: wrappedTon }))).not.toBe(eventIdOf(message()));
  });

  it('hashes the content with numbers in plain decimal', () => {
    const content = ['2000000000', '1000000000000', '10.5', '2', wallet1.toLowerCase(), 'dedust'].join('\u001F');
    const expected = BigInt(`0x${sha256(content).slice(0, 16)}`);
    expect(hash({})).toBe(expected);
    expect(hash({ volume_usd: '1.050E+1', amount_sold_raw: '2E9' })).toBe(expected);
    expect(hash({ volume_ton: '77' })).toBe(expected); // the native side's amount is the volume in ton
    expect(hash({ volume_usd: '77' })).not.toBe(expected);
    expect(hash({ deleted: true })).toBe(0xe3b0c44298fc1c14n); // SHA-256 of nothing
  });

  it('lets the higher revision, then the retraction, then the later record, then the greater hash win', () => {
    const first = message({ amount_sold_raw: '1' }, 5000);
    const later = message({ amount_sold_raw: '2' }, 6000);
    const retracted = message({ deleted: true }, 1000);
    const revised = message({ amount_sold_raw: '3', revision: 1 }, 2000);
    expect(winnerOf(later, first)).toEqual([later]);
    expect(winnerOf(later, retracted, first)).toEqual([retracted]);
    expect(winnerOf(revised, later, retracted)).toEqual([revised]);
    const twin = message({ amount_sold_raw: '9' }, 5000);
    const louder = contentHashOf(twin, defaultAssets) > contentHashOf(first, defaultAssets) ? twin : first;
    expect([winnerOf(twin, first), winnerOf(first, twin)]).toEqual([[louder], [louder]]);
  });
});
