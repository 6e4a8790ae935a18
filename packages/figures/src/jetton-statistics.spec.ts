import { describe, expect, it } from '@jest/globals';
import type { JettonFigures, WindowFigures } from './figures.js';
import { renderJettonStatistics } from './jetton-statistics.js';
import { fillHoles, holesOf } from './template.js';
import { stepOf, windowsA, windowsB, type Step } from './windows.js';

const address = `0:${'0123456789abcdef'.repeat(4)}`;
const calculatedAt = { short: 1_641_340_802, mid: 1_641_340_800, long: 1_641_340_680 };
const instants: Record<Step, string> = {
  short: '2022-01-05T00:00:02Z',
  mid: '2022-01-05T00:00:00Z',
  long: '2022-01-04T23:58:00Z',
};
const served = (figures: JettonFigures): unknown =>
  JSON.parse(fillHoles(renderJettonStatistics(address, figures), calculatedAt).toString());

const keyed = <Key extends keyof typeof stepOf>(keys: readonly Key[], valueOf: (at: string, key: Key) => unknown) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(instants[stepOf[key]], key)]));

const noPrice = (decimals: number) => (at: string) => ({
  changePercent: 0,
  changeStatus: 'noPrevious',
  previous: { value: '0', decimals },
  current: { value: '0', decimals },
  calculatedAt: at,
});
const noCount = (at: string) => ({ changePercent: 0, previous: '0', current: '0', calculatedAt: at });
const noVolume = (at: string) => ({
  changePercent: 0,
  previous: { value: '0', decimals: 6 },
  current: { value: '0', decimals: 6 },
  calculatedAt: at,
});

const hour6: WindowFigures = {
  transactionsBuy: { current: '12', previous: '3' },
  transactionsSell: { current: '3', previous: '6' },
  traders: { current: '7', previous: '5' },
  tradersBuy: { current: '6', previous: '2' },
  tradersSell: { current: '2', previous: '4' },
  volumeUsdBuy: { current: '10.0000004', previous: '2.5' },
  volumeUsdSell: { current: '0.0000004', previous: '0' },
  volumeTonBuy: { current: '3', previous: '1' },
  volumeTonSell: { current: '0.1', previous: '0' },
  priceTon: { current: { value: '110', decimals: 9 }, previous: { value: '1000', decimals: 10 } },
  priceUsd: { current: { value: '0', decimals: 6 }, previous: { value: '123456', decimals: 12 } },
};

describe('the statistics of a jetton', () => {
  it('have every key of every window set, with zeros and no prices where there was nothing', () => {
    expect(served({})).toEqual({
      address,
      priceChange: { ton: keyed(windowsA, noPrice(9)), usd: keyed(windowsA, noPrice(6)) },
      traders: keyed(windowsB, noCount),
      tradersBuy: keyed(windowsB, noCount),
      tradersSell: keyed(windowsB, noCount),
      transactions: keyed(windowsB, noCount),
      transactionsBuy: keyed(windowsB, noCount),
      transactionsSell: keyed(windowsB, noCount),
      volume: {
        usd: keyed(windowsB, noVolume),
        buyUsd: keyed(windowsB, noVolume),
        sellUsd: keyed(windowsB, noVolume),
      },
    });
  });

  it('have their fields and windows in the order of the interface', () => {
    const text = renderJettonStatistics(address, { hour6 }).bytes.toString();
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
    const parsed = JSON.parse(text) as Record<string, Record<string, object>>;
    expect(Object.keys(parsed)).toEqual([
      'address',
      'priceChange',
      'traders',
      'tradersBuy',
      'tradersSell',
      'transactions',
      'transactionsBuy',
      'transactionsSell',
      'volume',
    ]);
    expect(Object.keys(parsed['priceChange'] ?? {})).toEqual(['ton', 'usd']);
    expect(Object.keys(parsed['volume'] ?? {})).toEqual(['usd', 'buyUsd', 'sellUsd']);
    expect(Object.keys(parsed['priceChange']?.['usd'] ?? {})).toEqual([...windowsA]);
    expect(Object.keys(parsed['traders'] ?? {})).toEqual([...windowsB]);
    expect(Object.keys(parsed['traders']?.['hour'] ?? {})).toEqual([
      'changePercent',
      'previous',
      'current',
      'calculatedAt',
    ]);
  });

  it('show the figures of a window in its own place', () => {
    const at = instants.mid;
    expect(served({ hour6 })).toMatchObject({
      priceChange: {
        // 0.00000011 against 0.0000001
        ton: { hour6: { changePercent: 10, previous: hour6.priceTon.previous, current: hour6.priceTon.current } },
        usd: {
          hour6: { changePercent: -100, previous: hour6.priceUsd.previous, current: { value: '0', decimals: 6 } },
        },
      },
      traders: { hour6: { changePercent: 40, previous: '5', current: '7', calculatedAt: at } },
      tradersBuy: { hour6: { changePercent: 200, previous: '2', current: '6' } },
      tradersSell: { hour6: { changePercent: -50, previous: '4', current: '2' } },
      transactionsBuy: { hour6: { changePercent: 300, previous: '3', current: '12' } },
      transactionsSell: { hour6: { changePercent: -50, previous: '6', current: '3' } },
    });
  });

  it('count transactions = transactionsBuy + transactionsSell', () => {
    // 12 + 3 against 3 + 6: 6 / 9 = 66.666… percent
    expect(served({ hour6 })).toMatchObject({
      transactions: { hour6: { changePercent: 66.6667, previous: '9', current: '15' } },
    });
  });

  it('sum the volume exactly and round the total once', () => {
    // buy 10.0000004 → 10.000000, sell 0.0000004 → 0.000000, together 10.0000008 → 10.000001
    expect(served({ hour6 })).toMatchObject({
      volume: {
        // (10.000001 − 2.5) / 2.5 = 300.00004 percent
        usd: { hour6: { changePercent: 300, current: { value: '10000001', decimals: 6 } } },
        buyUsd: { hour6: { changePercent: 300, current: { value: '10000000', decimals: 6 } } },
        // emitted as 0 on both sides: no change and no changeStatus
        sellUsd: { hour6: { changePercent: 0, current: { value: '0', decimals: 6 } } },
      },
    });
  });

  it('take the percentage from the volumes as emitted: a previous one emitted as 0 is none', () => {
    const tiny = { ...hour6, volumeUsdBuy: { current: '1', previous: '0.0000004' } };
    expect(served({ hour6: tiny })).toMatchObject({
      volume: { buyUsd: { hour6: { changePercent: 0, changeStatus: 'noPrevious', previous: { value: '0' } } } },
    });
  });

  it('carry changeStatus only with noPrevious', () => {
    const text = renderJettonStatistics(address, { hour6 }).bytes.toString();
    // the prices of the six other windows in both currencies; counts and volumes without trades have none
    expect(text.split('"changeStatus":"noPrevious"')).toHaveLength(13);
    expect(text.split('changeStatus')).toHaveLength(13);
  });

  it('have 59 holes: each window filled with the calculatedAt of its step', () => {
    const template = renderJettonStatistics(address, { hour6 });
    const steps = holesOf(template).map(({ step }) => step);
    // 14 prices over A, 6 counts and 3 volumes over B (hour | hour6, day | week, month)
    expect(steps.filter((step) => step === 'short')).toHaveLength(2 * 2 + 9);
    expect(steps.filter((step) => step === 'mid')).toHaveLength(2 * 3 + 9 * 2);
    expect(steps.filter((step) => step === 'long')).toHaveLength(2 * 2 + 9 * 2);
  });

  it('refuse figures that are no numbers rather than serve them', () => {
    expect(() =>
      renderJettonStatistics(address, { hour6: { ...hour6, volumeUsdBuy: { current: 'x', previous: '0' } } }),
    ).toThrow(RangeError);
    expect(() =>
      renderJettonStatistics(address, { hour6: { ...hour6, traders: { current: '1.5', previous: '0' } } }),
    ).toThrow(SyntaxError);
  });
});
