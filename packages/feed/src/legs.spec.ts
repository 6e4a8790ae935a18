import { describe, expect, it } from '@jest/globals';
import {
  assets,
  eventTime,
  jettonA,
  jettonB,
  poolA,
  timestampMs,
  traderA,
  tradeWith,
  usdt,
  wrappedTon,
  zeroAddress,
} from '../test/factory.js';
import { legsOf } from './legs.js';

const json = JSON.stringify;
const a = jettonA.toLowerCase();
const b = jettonB.toLowerCase();

function legsWith(sold: string, bought: string, overrides: Record<string, string> = {}) {
  return legsOf(
    tradeWith({ token_sold_address: json(sold), token_bought_address: json(bought), ...overrides }),
    assets,
  );
}

const keysOf = (legs: ReturnType<typeof legsOf>) => legs.map((leg) => `${leg.jetton} ${leg.side} ${leg.eventId}`);

const shapeOf = (legs: ReturnType<typeof legsOf>) =>
  legs.map((leg) => [leg.side, leg.jetton, leg.counterAsset, leg.isTrade]);

describe('legs', () => {
  it('carry all that the ledger stores, each amount on its own side, the whole volume on both', () => {
    const trade = tradeWith();
    const common = {
      minute: eventTime - (eventTime % 60),
      pool: poolA.toLowerCase(),
      eventId: trade.eventId,
      eventTime,
      volumeUsd: '12.5',
      volumeTon: '3.25',
      trader: traderA.toLowerCase(),
      project: 'stonfi',
      txHash: trade.txHash,
      revision: 0,
      deleted: false,
      isTrade: true,
      version: trade.version,
      recordTimestampMs: timestampMs,
    };
    expect(legsOf(trade, assets)).toEqual([
      { ...common, side: 'buy', jetton: b, counterAsset: a, amount: 2000n, counterAmount: 1000n },
      { ...common, side: 'sell', jetton: a, counterAsset: b, amount: 1000n, counterAmount: 2000n },
    ]);
  });

  it('are two for jetton to jetton, one against native: the bought jetton buys, the sold one sells, native has none', () => {
    expect(shapeOf(legsWith(jettonA, jettonB))).toEqual([
      ['buy', b, a, true],
      ['sell', a, b, true],
    ]);
    expect(shapeOf(legsWith(zeroAddress, jettonB))).toEqual([['buy', b, 'ton', true]]);
    expect(shapeOf(legsWith(jettonA, wrappedTon))).toEqual([['sell', a, 'ton', true]]);
  });

  it('give stables a leg like any other jetton', () => {
    expect(shapeOf(legsWith(usdt, jettonB))).toEqual([
      ['buy', b, usdt.toLowerCase(), true],
      ['sell', usdt.toLowerCase(), b, true],
    ]);
  });

  it('lie in the minute of their event time', () => {
    for (const [time, minute] of [
      [1_704_414_780, 1_704_414_780],
      [1_704_414_839, 1_704_414_780],
      [1_704_414_840, 1_704_414_840],
    ] as const) {
      expect(legsWith(jettonA, zeroAddress, { event_time: String(time) })[0]).toMatchObject({
        eventTime: time,
        minute,
      });
    }
  });

  it('have no pool, trader or project as the empty string', () => {
    expect(
      legsWith(jettonA, jettonB, { pool_address: 'null', trader_address: 'null', project: 'null' })[0],
    ).toMatchObject({ pool: '', trader: '', project: '' });
  });
});

describe('what is a trade', () => {
  it('both tokens differ after wrapped forms are unified', () => {
    expect(shapeOf(legsWith(jettonA, jettonA))).toEqual([
      ['buy', a, a, false],
      ['sell', a, a, false],
    ]);
    expect(legsWith(zeroAddress, wrappedTon)).toEqual([]);
  });

  it.each(['amount_sold_raw', 'amount_bought_raw'])('%s is above 0', (field) => {
    for (const amount of ['0', '"0"', 'null']) {
      const legs = legsWith(jettonA, jettonB, { [field]: amount });
      expect(legs.map((leg) => leg.isTrade)).toEqual([false, false]);
      expect(legs[0]?.[field === 'amount_bought_raw' ? 'amount' : 'counterAmount']).toBe(0n);
    }
    expect(legsWith(jettonA, jettonB, { [field]: '1' }).every((leg) => leg.isTrade)).toBe(true);
  });

  it('a null volume, trader or pool makes it none the less a trade', () => {
    const legs = legsWith(jettonA, jettonB, {
      volume_usd: 'null',
      volume_ton: 'null',
      trader_address: 'null',
      pool_address: 'null',
    });
    expect(legs.map((leg) => [leg.isTrade, leg.volumeUsd, leg.volumeTon])).toEqual([
      [true, null, null],
      [true, null, null],
    ]);
  });

  it('not a retraction: it has the keys of what it retracts, empty and with a greater version', () => {
    const legs = legsWith(jettonA, jettonB);
    const retraction = legsWith(jettonA, jettonB, { deleted: 'true' });
    const keyOf = ({ minute, jetton, pool, eventId, side }: (typeof legs)[number]) => [
      minute,
      jetton,
      pool,
      eventId,
      side,
    ];
    expect(retraction.map(keyOf)).toEqual(legs.map(keyOf));
    for (const [index, leg] of retraction.entries()) {
      expect(leg).toMatchObject({
        deleted: true,
        isTrade: false,
        amount: 0n,
        counterAmount: 0n,
        volumeUsd: null,
        volumeTon: null,
        trader: '',
        project: '',
      });
      expect(leg.version).toBeGreaterThan(legs[index]?.version ?? 0n);
    }
  });

  it('not a retraction, whatever amounts it may carry', () => {
    const legs = legsOf({ ...tradeWith(), deleted: true }, assets);
    expect(legs.map((leg) => [leg.isTrade, leg.deleted])).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  it('a revision that is no longer one still has the rows that replace it', () => {
    expect(keysOf(legsWith(jettonA, zeroAddress, { revision: '1', amount_sold_raw: '0' }))).toEqual(
      keysOf(legsWith(jettonA, zeroAddress)),
    );
  });
});
