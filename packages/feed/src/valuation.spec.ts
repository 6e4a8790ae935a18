import { describe, expect, it } from '@jest/globals';
import { jettonA, jettonB, tradeWith, usdt, wrappedTon, zeroAddress } from '../test/factory.js';

const ton = JSON.stringify(zeroAddress);
const wrapped = JSON.stringify(wrappedTon);
const stable = JSON.stringify(usdt);
const jetton = JSON.stringify(jettonA);
const amounts = { amount_sold_raw: '"1234567890123"', amount_bought_raw: '"42"' };

function volumesOf(sold: string, bought: string, overrides: Record<string, string> = {}) {
  const { volumeTon, volumeUsd } = tradeWith({
    token_sold_address: sold,
    token_bought_address: bought,
    ...amounts,
    ...overrides,
  });
  return [volumeTon, volumeUsd];
}

describe('valuation', () => {
  it('takes the volumes of the event as they are where no side is native or a stable', () => {
    expect(volumesOf(jetton, JSON.stringify(jettonB))).toEqual(['3.25', '12.5']);
  });

  it('takes the exact native amount for volume_ton, on either side, wrapped forms included', () => {
    expect(volumesOf(ton, jetton)).toEqual(['1234.567890123', '12.5']);
    expect(volumesOf(jetton, ton)).toEqual(['0.000000042', '12.5']);
    expect(volumesOf(wrapped, jetton)).toEqual(['1234.567890123', '12.5']);
  });

  it('takes the exact stable amount for volume_usd, on either side', () => {
    expect(volumesOf(stable, jetton)).toEqual(['3.25', '1234567.890123']);
    expect(volumesOf(jetton, stable)).toEqual(['3.25', '0.000042']);
  });

  it('takes each from its own side between native and a stable', () => {
    expect(volumesOf(ton, stable)).toEqual(['1234.567890123', '0.000042']);
    expect(volumesOf(stable, ton)).toEqual(['0.000000042', '1234567.890123']);
  });

  it('takes the sold side where both are native or both are stables', () => {
    const otherStable = JSON.stringify(`0:086fa2a675f74347b08dd4606a549b8fdb98829cb282bc1949d3b12fbaed9dcc`);
    expect(volumesOf(ton, wrapped)[0]).toBe('1234.567890123');
    expect(volumesOf(wrapped, ton)[0]).toBe('1234.567890123');
    expect(volumesOf(otherStable, stable)[1]).toBe('1234567.890123');
  });

  it('replaces a null volume and one that says something else', () => {
    expect(volumesOf(ton, jetton, { volume_ton: 'null', volume_usd: 'null' })).toEqual(['1234.567890123', null]);
    expect(volumesOf(jetton, stable, { volume_usd: '"999"', volume_ton: 'null' })).toEqual([null, '0.000042']);
  });

  it('derives nothing else: an LSD, or a price between ton and usd, values nothing', () => {
    const lsd = JSON.stringify('0:cd872fa7c5816052acdf5332260443faec9aacc8c21cca4d92e7f47034d11892');
    expect(volumesOf(lsd, jetton, { volume_ton: 'null', volume_usd: 'null' })).toEqual([null, null]);
  });

  it('still checks the volume text that it replaces', () => {
    expect(() => volumesOf(ton, jetton, { volume_ton: '"-1"' })).toThrow('volume_out_of_range');
  });

  it('is exact for the greatest amount there is', () => {
    const most = (2n ** 120n - 1n).toString();
    expect(volumesOf(ton, stable, { amount_sold_raw: most, amount_bought_raw: most })).toEqual([
      '1329227995784915872903807060.280344575',
      '1329227995784915872903807060280.344575',
    ]);
  });

  it('of an amount of 0 is 0, of a null amount what the message says', () => {
    expect(volumesOf(ton, jetton, { amount_sold_raw: '0' })).toEqual(['0', '12.5']);
    expect(volumesOf(ton, jetton, { amount_sold_raw: 'null' })).toEqual(['3.25', '12.5']);
    expect(volumesOf(jetton, stable, { amount_bought_raw: 'null' })).toEqual(['3.25', '12.5']);
    expect(volumesOf(stable, jetton, { amount_sold_raw: 'null' })).toEqual(['3.25', '12.5']);
  });
});

describe('volume text', () => {
  it.each([
    ['"1E-7"', '0.0000001'],
    ['"0E-9"', '0'],
    ['"12.500"', '12.5'],
    ['"1E+3"', '1000'],
    ['0.1', '0.1'],
    ['1e-7', '0.0000001'],
    ['0.1000000000000000055511151231257827', '0.100000000000000006'],
    ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
    ['"0.0000000000000000005"', '0.000000000000000001'],
    ['"0.00000000000000000049999"', '0'],
    ['"0.9999999999999999995"', '1'],
    ['"0.00000000000000000005"', '0'],
    ['"9E-30"', '0'],
    ['"1.0000000000000000015"', '1.000000000000000002'],
  ])('%s is %s: exact, rounded half away from zero to 18 fractional digits', (text, expected) => {
    expect(tradeWith({ volume_usd: text, volume_ton: text })).toMatchObject({
      volumeUsd: expected,
      volumeTon: expected,
    });
  });
});

describe('amounts', () => {
  it.each([
    ['"1E+3"', 1000n],
    ['"1000.00"', 1000n],
    ['"1.5e1"', 15n],
    ['"1000E-3"', 1n],
    ['12', 12n],
    ['1.2e1', 12n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['123456789012345678901234567890123456', 123_456_789_012_345_678_901_234_567_890_123_456n],
    ['"0"', 0n],
    ['-0', 0n],
  ])('%s is %s: an integer of any length, as text or JSON number, also as an integral decimal', (text, expected) => {
    expect(tradeWith({ amount_sold_raw: text, amount_bought_raw: text })).toMatchObject({
      amountSold: expected,
      amountBought: expected,
    });
  });
});
