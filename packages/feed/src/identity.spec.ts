import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import {
  eventTime,
  jettonA,
  jettonB,
  parseWith,
  poolA,
  timestampMs,
  traderA,
  tradeWith,
  wrappedTon,
  zeroAddress,
} from '../test/factory.js';
import { contentHashOf, eventIdOf, rowVersion } from './identity.js';

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest();
const joined = (...parts: (string | number)[]) => parts.join('\u001f');
const txHex = 'b433d15ef08ffc35c936eba6a3f3b451e7344d54becf6e2a0935da6fd3bf888d';
const contentHash = (trade: { version: bigint }) => trade.version & (2n ** 64n - 1n);

describe('the identity of an event', () => {
  it('is the SHA-256 of tx_hash in hex, event type, event time, pool, sold and bought, joined by U+001F', () => {
    const identity = joined(
      txHex,
      'trade',
      eventTime,
      poolA.toLowerCase(),
      jettonA.toLowerCase(),
      jettonB.toLowerCase(),
    );
    expect(tradeWith().eventId).toBe(sha256(identity).toString('hex'));
  });

  it('writes null as the empty string', () => {
    const identity = joined(txHex, 'trade', eventTime, '', jettonA.toLowerCase(), jettonB.toLowerCase());
    expect(tradeWith({ pool_address: 'null' }).eventId).toBe(sha256(identity).toString('hex'));
  });

  it('does not unify wrapped forms', () => {
    const wrapped = tradeWith({ token_sold_address: JSON.stringify(wrappedTon) });
    const zero = tradeWith({ token_sold_address: JSON.stringify(zeroAddress) });
    expect(wrapped.eventId).not.toBe(zero.eventId);
    expect(wrapped.sold).toBe(wrappedTon.toLowerCase());
  });

  it('rests on each of its fields and on nothing else', () => {
    const other = JSON.stringify(`0:${'12'.repeat(32)}`);
    const changes = {
      tx_hash: JSON.stringify(Buffer.alloc(32, 1).toString('base64')),
      event_time: String(eventTime + 1),
      pool_address: other,
      token_sold_address: other,
      token_bought_address: other,
    };
    const ids = Object.entries(changes).map(([field, value]) => tradeWith({ [field]: value }).eventId);
    expect(new Set([...ids, tradeWith().eventId]).size).toBe(ids.length + 1);
    const rest = {
      trader_address: 'null',
      amount_sold_raw: '1',
      amount_bought_raw: '1',
      volume_usd: '1',
      volume_ton: '1',
      project: '"x"',
      revision: '1',
      deleted: 'true',
    };
    expect(tradeWith(rest, timestampMs + 1).eventId).toBe(tradeWith().eventId);
  });
});

describe('the content of a message', () => {
  it('is amounts, volumes, trader and project, plain and joined by U+001F; the first 8 bytes of its SHA-256, big-endian, are its hash', () => {
    const content = joined('1000', '2000', '12.5', '3.25', traderA.toLowerCase(), 'stonfi');
    expect(contentHash(tradeWith())).toBe(sha256(content).readBigUInt64BE());
  });

  it('writes null as the empty string, and null is not 0', () => {
    const nulls = {
      amount_sold_raw: 'null',
      amount_bought_raw: 'null',
      volume_usd: 'null',
      volume_ton: 'null',
      trader_address: 'null',
      project: 'null',
    };
    expect(contentHash(tradeWith(nulls))).toBe(sha256(joined('', '', '', '', '', '')).readBigUInt64BE());
    expect(contentHash(tradeWith({ volume_usd: '0' }))).not.toBe(contentHash(tradeWith({ volume_usd: 'null' })));
  });

  it('is the same however its numbers and addresses are written', () => {
    const spelled = tradeWith({
      amount_sold_raw: '"1E+3"',
      amount_bought_raw: '2000.0',
      volume_usd: '1.25e1',
      volume_ton: '"3.2500"',
      trader_address: JSON.stringify(traderA.toLowerCase()),
    });
    expect(spelled).toEqual(tradeWith());
  });

  it('is taken after rounding and valuation: what the ledger stores', () => {
    const sold = { token_sold_address: JSON.stringify(zeroAddress), amount_sold_raw: '5000000000' };
    expect(contentHash(tradeWith({ ...sold, volume_ton: '"4.99"' }))).toBe(
      sha256(joined('5000000000', '2000', '12.5', '5', traderA.toLowerCase(), 'stonfi')).readBigUInt64BE(),
    );
    expect(tradeWith({ volume_usd: '"1.0000000000000000004"' })).toEqual(tradeWith({ volume_usd: '1' }));
  });

  it('of a retraction is the empty string', () => {
    expect(contentHash(tradeWith({ deleted: 'true' }))).toBe(sha256('').readBigUInt64BE());
    expect(contentHashOf('')).toBe('e3b0c44298fc1c14');
  });
});

const versionOf = ([revision, deleted, time, hash]: [number, boolean, number, bigint]) =>
  rowVersion(revision, deleted, time, hash.toString(16).padStart(16, '0'));
/** As the version orders: by the first part that differs. */
const compare = (a: readonly (number | boolean | bigint)[], b: readonly (number | boolean | bigint)[]) => {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? 0;
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
};

describe('the version of a row', () => {
  it('is (revision × 2 + deleted) << 112 | record timestamp << 64 | content hash', () => {
    const trade = tradeWith({ revision: '3' });
    expect(trade.version).toBe((6n << 112n) | (BigInt(timestampMs) << 64n) | contentHash(trade));
    expect(rowVersion(2 ** 31 - 1, true, 2 ** 48 - 1, 'f'.repeat(16))).toBe(2n ** 144n - 1n);
    expect(rowVersion(0, false, 0, '0000000000000000')).toBe(0n);
  });

  it('lets a higher revision win, then a retraction, then the later record, then the greater content hash', () => {
    const inOrder = [
      rowVersion(0, false, 5, '000000000000000a'),
      rowVersion(0, false, 5, 'f000000000000000'),
      rowVersion(0, false, 6, '0000000000000000'),
      rowVersion(0, true, 1, '0000000000000000'),
      rowVersion(1, false, 0, '0000000000000000'),
    ];
    expect([...inOrder].sort((a, b) => (a < b ? -1 : 1))).toEqual(inOrder);
    expect(new Set(inOrder).size).toBe(inOrder.length);
  });

  it('is the same for a repeat, and another for a repeat at another record time', () => {
    expect(parseWith()).toEqual(parseWith());
    expect(tradeWith({}, timestampMs + 1).version).toBeGreaterThan(tradeWith().version);
  });

  it('orders as its parts do, for all parts', () => {
    const parts = fc.tuple(
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.boolean(),
      fc.nat({ max: 2 ** 48 - 1 }),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    );
    fc.assert(
      fc.property(parts, parts, fc.subarray([0, 1, 2, 3]), (a, b, same) => {
        const [revision, deleted, time, hash] = b;
        const c: [number, boolean, number, bigint] = [
          same.includes(0) ? a[0] : revision,
          same.includes(1) ? a[1] : deleted,
          same.includes(2) ? a[2] : time,
          same.includes(3) ? a[3] : hash,
        ];
        const difference = versionOf(a) - versionOf(c);
        expect(difference < 0n ? -1 : difference > 0n ? 1 : 0).toBe(compare(a, c));
      }),
    );
  });

  it('is refused for a time that does not fit in 48 bits', () => {
    for (const time of [-1, 2 ** 48, NaN])
      expect(() => rowVersion(0, false, time, '0000000000000000')).toThrow(RangeError);
  });

  it('takes the identity of what it is given', () => {
    expect(eventIdOf({ txHash: 'a', eventTime: 1, pool: '', sold: 'b', bought: 'c' })).toBe(
      sha256(joined('a', 'trade', 1, '', 'b', 'c')).toString('hex'),
    );
  });
});
